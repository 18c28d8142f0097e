internal import CrashService
internal import CrashStore
internal import Scrubbing
internal import TriageModel

/// A group of another system: what people decided and wrote there.
struct SavedGroup {
  enum State: String {
    case open, closed, ignored
  }

  /// The system and the group's id in it: `App Center group 3132303808u`.
  var origin: String
  var state: State
  /// Figures of the other system, in words.
  var facts: [String] = []
  var notes: [String] = []

  /// The most bytes of a note that are kept.
  private static let noteBytes = 32 << 10

  /// The note for the history, by which a repeated import knows that the group was taken.
  var note: String {
    var text = ([origin + " was \(state.rawValue)"] + facts).joined(separator: "; ")
    for note in notes {
      let room = Self.noteBytes - text.utf8.count - 1
      guard room > 0 else { break }
      text += "\n"
      text +=
        note.utf8.count <= room ? note : String(decoding: note.utf8.prefix(room), as: UTF8.self)
    }
    return text
  }
}

/// Applies states and notes of other systems' groups to the groups that their reports are in.
struct SavedGroups {
  let context: ImportContext

  /// Takes the states and notes, unless they were taken before.
  ///
  /// A group that a user decided about here keeps its state. It is resolved if all of its groups were
  /// closed or ignored, and ignored if all were ignored.
  ///
  /// - Returns: The number of other groups that were taken now.
  /// - Throws: The store's errors.
  func apply(_ others: [SavedGroup], to id: String) throws -> Int {
    let overview = try context.service.group(id, sourceLines: nil)
    let known = Set(overview.history.filter { $0.event == "noted" }.map(\.detail))
    let new = others.map {
      (state: $0.state, note: context.scrubber.scrub($0.note).withUnixLineEnds)
    }
    .filter { !known.contains($0.note) }
    guard !new.isEmpty else { return 0 }
    let status = overview.group.status
    // The state first: an import that is interrupted in between sets it again.
    if new.count == others.count, status.state == .open, status.time == nil {
      let states = Set(others.map(\.state))
      if states == [.ignored] {
        try decide(.ignore(IgnoreCondition()), id)
      } else if !states.contains(.open) {
        try decide(.resolve(.afterNewestSeen), id)
      }
    }
    for item in new { try decide(.note(item.note), id) }
    return new.count
  }

  private func decide(_ decision: GroupDecision, _ id: String) throws {
    _ = try context.service.decide(decision, about: [id], by: context.author)
  }
}
