/// A debug file that was looked at for an image, and what it lacks.
public struct SymbolCandidate: Hashable, Sendable {
  public enum Verdict: String, CaseIterable, Sendable {
    /// Of the image's name, but of another build.
    case wrongID = "wrong-id"
    /// Code for another architecture.
    case wrongArchitecture = "wrong-architecture"
    /// Neither debug information nor symbols.
    case stripped
    /// What it holds cannot be read.
    case damaged
    /// It knows functions, but neither files nor lines. Such a file is used until a better one comes.
    case noLineTable = "no-line-table"
    /// It does not say how the callers of its functions are found, and neither does another file of the
    /// build: the stack of a dump was walked by guesses in this image. The program itself knows.
    case noUnwindRules = "no-unwind-rules"
    /// The report names no build, and several builds have the image's name.
    case ambiguous
    /// Of the image's name, where the report names no build; but most addresses of the report do not
    /// fit its code.
    case wrongCode = "wrong-code"
  }

  /// The name of the file.
  public var file: String
  public var verdict: Verdict
  /// The build that the file explains, where that is another one than wanted.
  public var debugID: DebugID?
  /// Given where it is another one than wanted.
  public var architecture: Architecture?
  /// More about it, in words: what is damaged, from which build it comes.
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
