public import Bytes

/// The reason why clients would not accept a remote configuration, with the position.
public struct RemoteConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// `appUpdate.localizedStrings[1].options`; empty for the document as a whole.
  public let path: String
  public let problem: String

  init(_ problem: String, at path: String = "") {
    self.path = path
    self.problem = problem
  }

  public var description: String { path.isEmpty ? problem : "\(path): \(problem)" }
}

/// The path of a value in a document.
struct RemoteConfigurationPath {
  private var parts: [String] = []

  mutating func append(key: String) {
    let name = String(key.prefix(80)).printable
    let isPlain =
      !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    parts.append(isPlain ? (parts.isEmpty ? name : ".\(name)") : "[\"\(name)\"]")
  }

  mutating func append(index: Int) { parts.append("[\(index)]") }
  mutating func removeLast() { parts.removeLast() }

  var text: String { parts.joined() }
}

extension RemoteConfigurationError: UserFacingError {
  public var failureKind: FailureKind { .wrongUsage }
}
