internal import Bytes
internal import Database

/// Apps take turns: however much one sends, what comes for another is soon taken.
extension IntakeQueue {
  /// The name of the fact that names an app for the rate and for its turn.
  public static let shareFact = "share"
  private static let appFact = "app"

  /// Turns of a batch: with more, the others come with the next.
  private static let turnsOfBatch = 64

  /// Whose turn a submission waits for: the app that its sender named. Submissions without one share a turn.
  public static func turn(of facts: [String: String]) -> String {
    facts[shareFact] ?? facts[appFact] ?? ""
  }

  /// The turns that wait, from the one after `last` on, in their order and then from the start.
  ///
  /// - Parameter excluded: Turns that are left out.
  static func turns(
    after last: String, excluding excluded: Set<String>, in database: borrowing Connection
  ) throws -> [String] {
    var found: [String] = []
    // Behind the last one, then from the start up to it.
    var place = last
    var isIncluded = false
    var isAround = false
    while found.count < turnsOfBatch {
      let rows = try database.prepare(
        """
        SELECT turn FROM intake WHERE state = ?1 AND attempts = 0 AND turn \(isIncluded ? ">=" : ">") ?2
        ORDER BY turn LIMIT 1
        """, [IntakeState.waiting, place])
      guard try rows.step(), try !isAround || rows.text("turn") <= last else {
        if isAround { break }
        (place, isIncluded, isAround) = ("", true, true)
        continue
      }
      place = try rows.text("turn")
      isIncluded = false
      if !excluded.contains(place) { found.append(place) }
    }
    return found
  }
}
