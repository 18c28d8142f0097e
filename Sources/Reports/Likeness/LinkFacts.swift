internal import Bytes
public import CrashModel
internal import Crypto

/// The facts that decide, besides likeness, whether a key may be linked with others.
public struct LinkFacts: Hashable, Sendable {
  /// A digest of the parts of the signature's text that are not functions: the category, the exception's
  /// class, an assertion's message. Keys are linked only if these are equal: two exceptions thrown in one
  /// function are two bugs, and so are two assertions.
  public let words: String
  /// A digest of ``words`` and the two functions of the app nearest to the crash; `nil` if the stack has
  /// fewer. For a message printed by a known line, a digest of function and location instead: see
  /// ``isStatement``.
  public let functions: String?
  /// The linking set by a custom rule for the report, in place of the app's ``LinkPolicy``.
  public let linking: GroupLinking?

  /// - Returns: `nil` for signatures that are never linked: a provisional one, one without a token from a
  ///   frame, one with a custom fingerprint, and one that a custom rule excludes.
  ///
  /// - Parameter report: The report of the signature; `nil` to ignore the locations of its frames.
  public init?(
    _ signature: Signature, _ stack: NormalisedStack, of report: borrowing CrashReport? = nil
  ) {
    guard !signature.isProvisional, signature.linking != .off, !signature.hasFingerprint,
      let rest = signature.wordsWithoutFunctions
    else { return nil }
    linking = signature.linking
    words = Self.digest([rest])
    let functions = stack.calls.lazy.filter { $0.frameClass == .app }.prefix(2).map(\.token)
    if !rest.isEmpty, let statement = report?.spokenStatement(signature) {
      // A helper through which many callers end the program gives each caller its own statement.
      self.functions = Self.statementMark + Self.digest(statement + functions)
      return
    }
    self.functions = functions.count == 2 ? Self.digest([rest] + functions) : nil
  }

  /// Whether ``functions`` is the digest of an assertion's or a panic's statement: its messages differ only
  /// in the data in them.
  public static func isStatement(_ functions: String?) -> Bool {
    functions?.hasPrefix(statementMark) ?? false
  }

  private static let statementMark = "at:"

  private static func digest(_ parts: [String]) -> String {
    let bytes = Array(parts.joined(separator: "\u{1f}").utf8)
    return SHA256.hex(Array(SHA256.digest(of: unsafe bytes.span.bytes).prefix(16)))
  }
}

extension CrashReport {
  /// The function of the app in the text of an assertion or a panic, and its location: the same for each
  /// crash by that statement.
  fileprivate func spokenStatement(_ signature: Signature) -> [String]? {
    guard signature.category == .assertion, let frames = signedStack,
      let step = signature.steps.last(where: {
        $0.used && $0.frame != nil && $0.frameClass == FrameClass.app.rawValue
      }),
      let index = step.frame, frames.indices.contains(index),
      let file = frames[index].file, let line = frames[index].line, line > 0
    else { return nil }
    let name = file.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? file
    return [step.result, name, String(line), frames[index].column.map { String($0) } ?? ""]
  }
}

extension Signature {
  /// Whether a custom rule gave the text.
  fileprivate var hasFingerprint: Bool {
    steps.contains { $0.frame == nil && $0.subject == "fingerprint" }
  }

  /// The text that the key is made from, without the functions and modules at its end; `nil` if no frame gave
  /// a token of it.
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
