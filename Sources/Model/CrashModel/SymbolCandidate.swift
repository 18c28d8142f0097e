public import Identifiers

/// A debug file that was tried for an image, and its shortcoming.
public struct SymbolCandidate: Hashable, Sendable {
  public enum Verdict: String, CaseIterable, Sendable {
    /// It has the image's name, but belongs to another build.
    case wrongID = "wrong-id"
    /// Code for another architecture.
    case wrongArchitecture = "wrong-architecture"
    /// Neither debug information nor symbols.
    case stripped
    /// Its content cannot be read.
    case damaged
    /// It knows functions, but neither files nor lines. Such a file is used until a better one is found.
    case noLineTable = "no-line-table"
    /// It has no unwind rules for its functions, and neither does another file of the build: the stack of a
    /// dump was walked by guesses in this image. The program itself has them.
    case noUnwindRules = "no-unwind-rules"
    /// The report names no build, and several builds have the image's name.
    case ambiguous
    /// It has the image's name, and the report names no build; but most addresses of the report do not fit
    /// its code.
    case wrongCode = "wrong-code"
  }

  /// The name of the file.
  public var file: String
  public var verdict: Verdict
  /// The build that the file explains, where it differs from the wanted one.
  public var debugID: DebugID?
  /// Given where it differs from the wanted one.
  public var architecture: Architecture?
  /// Further details as text: the damage, or the build that it comes from.
  public var detail: String?

  public init(
    _ file: String, _ verdict: Verdict, debugID: DebugID? = nil,
    architecture: Architecture? = nil, detail: String? = nil
  ) {
    self.file = file
    self.verdict = verdict
    self.debugID = debugID
    self.architecture = architecture
    self.detail = detail
  }
}
