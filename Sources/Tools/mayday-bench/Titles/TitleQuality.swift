import CrashModel

/// The facts that a title gives about a bug, the best first.
enum TitleQuality: String, CaseIterable {
  /// A function of the app.
  case app
  /// Functions of platforms only.
  case platform
  /// Modules or offsets.
  case module
  /// The text of a message, or the class of an exception.
  case message
  /// At most the kind of death.
  case nothing

  init(of signature: Signature, reason: CrashReason) {
    let used = signature.steps.filter { $0.used && $0.frame != nil }
    let named = used.filter { !$0.result.hasPrefix("[") }
    if named.contains(where: { $0.frameClass == "app" }) {
      self = .app
    } else if !named.isEmpty {
      self = .platform
    } else if !used.isEmpty {
      self = .module
    } else {
      let lacks = ["no thread", "no frames", "no names"]
      let kinds = [reason.signal, reason.type].compactMap { $0 }
      let words = signature.text.split(separator: " | ").map(String.init)
        .prefix { !lacks.contains($0) && !$0.hasPrefix("EMPTY ") }
      self = words.allSatisfy { kinds.contains($0) } ? .nothing : .message
    }
  }
}
