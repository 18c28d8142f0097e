internal import Bytes
public import CrashModel
internal import Hashing

/// What decides, besides likeness, whether a key may be linked with others.
public struct LinkFacts: Hashable, Sendable {
  /// Stands for the words of the signature's text that are not functions: the category, the exception's
  /// class, an assertion's message. Keys are linked only where these are equal: two exceptions thrown in
  /// one function are two bugs, and so are two assertions.
  public let words: String
  /// Stands for ``words`` and the two functions of the app nearest to the crash; `nil` where the stack
  /// has fewer.
  public let functions: String?
  /// What somebody's rule says of the report, in place of the app's ``LinkPolicy``.
  public let linking: GroupLinking?

  /// - Returns: `nil` for what is never linked: a provisional signature, one that no frame gave a piece
  ///   of, one with somebody's fingerprint, and one for which somebody's rule says so.
  public init?(_ signature: Signature, _ stack: NormalisedStack) {
    guard !signature.isProvisional, signature.linking != .off, !signature.hasFingerprint,
      let rest = signature.wordsWithoutFunctions
    else { return nil }
    linking = signature.linking
    words = Self.digest([rest])
    let functions = stack.calls.lazy.filter { $0.frameClass == .app }.prefix(2).map(\.token)
    self.functions = functions.count == 2 ? Self.digest([rest] + functions) : nil
  }

  private static func digest(_ parts: [String]) -> String {
    let bytes = Array(parts.joined(separator: "\u{1f}").utf8)
    return SHA256.hex(Array(SHA256.digest(of: unsafe bytes.span.bytes).prefix(16)))
  }
}

extension Signature {
  /// Whether a rule of somebody's own gave the text.
  fileprivate var hasFingerprint: Bool {
    steps.contains { $0.frame == nil && $0.subject == "fingerprint" }
  }

  /// The text that the key is made from, without the functions and modules at its end; `nil` where no
  /// frame gave a piece of it.
  fileprivate var wordsWithoutFunctions: String? {
    let tokens = steps.filter { $0.frame != nil && $0.used }.map(\.result)
    guard !tokens.isEmpty else { return nil }
    var rest = keyText
    for token in tokens.reversed() {
      if rest == token {
        rest = ""
      } else if rest.hasSuffix(" | " + token) {
        rest = rest.dropLast(token.count + 3)
      }
    }
    return String(rest)
  }
}
