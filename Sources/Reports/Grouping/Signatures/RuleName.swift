internal import Synchronization

/// The name of what decided about a frame: a rule's id such as `death.rules:12`, or words in its place. Copies
/// count no references.
@safe
struct RuleName: Sendable {
  private final class Storage: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
  }

  private let storage: Unmanaged<Storage>

  // Names are never given back, so that they may be held without counting. There are as many as lines of the
  // lists, of custom rules and words in this target.
  private static let all = Mutex<[String: Storage]>([:])

  init(_ text: String) {
    let storage = Self.all.withLock { all in
      if let known = all[text] { return known }
      let storage = Storage(text)
      all[text] = storage
      return storage
    }
    unsafe self.storage = Unmanaged.passUnretained(storage)
  }

  var text: String { unsafe storage._withUnsafeGuaranteedRef { $0.text } }
}
