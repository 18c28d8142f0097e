internal import Bytes
internal import Database

/// Apps take turns: however much one sends, submissions for the others are soon taken.
extension IntakeQueue {
  /// The name of the fact that names an app for the rate and for its turn.
  public static let shareFact = "share"
  private static let appFact = "app"

  /// Maximum number of turns in a batch; the others come with the next.
  private static let turnsOfBatch = 64

  /// The turn for which a submission waits: the app that its sender named. Submissions without one share a
  /// turn.
  public static func turn(of facts: [String: String]) -> String {
    facts[shareFact] ?? facts[appFact] ?? ""
  }

  /// The waiting turns, from the one after `last` in order, and then from the start.
  ///
  /// - Parameter excluded: Turns to skip.
  static func turns(
    after last: String, excluding excluded: Set<String>, in database: borrowing Connection
  ) throws -> [String] {
    var found: [String] = []
    // After the last one, then from the start up to it.
    var turn = last
    var isIncluded = false
    var isAround = false
    while found.count < turnsOfBatch {
      let rows = try database.prepare(
        """
        SELECT turn FROM intake WHERE state = ?1 AND attempts = 0 AND turn \(isIncluded ? ">=" : ">") ?2
        ORDER BY turn LIMIT 1
        """, [IntakeState.waiting, turn])
      guard try rows.step(), try !isAround || rows.text("turn") <= last else {
        if isAround { break }
        (turn, isIncluded, isAround) = ("", true, true)
        continue
      }
      turn = try rows.text("turn")
      isIncluded = false
      if !excluded.contains(turn) { found.append(turn) }
    }
    return found
  }
}
