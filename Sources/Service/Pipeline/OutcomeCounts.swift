internal import CrashStore
internal import Identifiers

/// Counts the outcomes of submissions that a queue has handed out, in the order of their files: see
/// ``IntakeProgress``. Files that no queue has handed out have none.
struct OutcomeCounts {
  private let before: ((_ ordinal: Int) -> IntakeProgress)?
  private var counts: [Int: Int] = [:]
  /// The submissions with outcomes since the last ``take()``.
  private var changed: Set<Int> = []

  /// - Parameter before: The progress of the file with an ordinal when the queue handed it out.
  init(before: ((_ ordinal: Int) -> IntakeProgress)?) { self.before = before }

  /// The submission that the file with an ordinal is.
  func id(_ ordinal: Int) -> IntakeID? { before?(ordinal).id }

  /// Counts an outcome of the file with an ordinal.
  ///
  /// - Returns: Whether the ledger has it.
  mutating func count(_ ordinal: Int) -> Bool {
    guard let before else { return false }
    let number = counts[ordinal, default: 0]
    counts[ordinal] = number + 1
    changed.insert(ordinal)
    return number < before(ordinal).outcomes
  }

  /// The progress of the submissions with new outcomes, when these are stored.
  mutating func take() -> [IntakeProgress] {
    guard let before else { return [] }
    defer { changed.removeAll() }
    return changed.sorted().map { ordinal in
      var progress = before(ordinal)
      progress.outcomes = max(progress.outcomes, counts[ordinal] ?? 0)
      return progress
    }
  }
}
