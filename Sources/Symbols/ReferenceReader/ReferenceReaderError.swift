public import Bytes

/// Why a file cannot be cross-checked.
public enum ReferenceReaderError: Error, Equatable, Sendable {
  /// The file could not be opened.
  case file(FileError)
  /// The kind of a file that libelf and libdwarf do not read.
  case notCovered(String)
  /// The process could not be started: what failed.
  case cannotStart(String)
  /// The kernel lacks a part of the sandbox that is required: what is in force.
  case incompleteSandbox(String)
  /// The process ended before it was through: how.
  case died(String)
  /// The process answered with something that it never writes: what.
  case wrongAnswer(String)
  /// A limit of ``ReferenceLimits`` was reached: its name and its value.
  case limit(String, Int)
}

extension ReferenceReaderError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .file(let error): error.description
    case .notCovered(let what): "verify covers ELF files with DWARF, not \(what)"
    case .cannotStart(let what): "the second reader did not start: \(what)"
    case .incompleteSandbox(let what): "--require-sandbox: the sandbox is incomplete: \(what)"
    case .died(let how): "the second reader \(how)"
    case .wrongAnswer(let what): "the second reader gave a wrong answer: \(what)"
    case .limit(let name, let value): "limit of \(value) \(name) reached"
    }
  }
}

extension ReferenceReaderError: UserFacingError {
  public var failureKind: FailureKind {
    if case .file(let error) = self { error.failureKind } else { .failed }
  }
}
