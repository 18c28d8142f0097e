/// The work of a statement in all of its runs.
package struct StatementCost: Sendable {
  package private(set) var runs = 0
  /// Steps of the database's machine: rows that are read, compared and written make them grow.
  package private(set) var steps = 0

  mutating func add(steps new: Int) {
    runs += 1
    steps += new
  }

  package static func + (one: StatementCost, other: StatementCost) -> StatementCost {
    StatementCost(runs: one.runs + other.runs, steps: one.steps + other.steps)
  }
}
