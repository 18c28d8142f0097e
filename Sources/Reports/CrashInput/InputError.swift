public import Archives
public import Bytes

/// Why a file that was found has no bytes to offer.
public enum InputError: Error, Equatable, Sendable {
  /// A system call failed.
  case file(FileError)
  /// Larger than is read: the limit in bytes, and the size where it is known.
  case tooLarge(limit: Int, size: Int?)
  /// No file with bytes in it: a named pipe, a socket, a device.
  case special(String)
  /// A program, a library or debug information: nothing that crashed.
  case debugFile
  /// An archive, or a member of it, that cannot be read.
  case archive(ArchiveError)
  /// As much was read as may be of what it came with: the limit, in words.
  case limit(String)
}

extension InputError: CustomStringConvertible {
  /// The problem, without the path.
  public var description: String {
    switch self {
    case .file(let error): "cannot \(error.action): \(error.reason)"
    case .tooLarge(let limit, let size?): "\(size) bytes exceed the limit of \(limit)"
    case .tooLarge(let limit, nil): "larger than the limit of \(limit) bytes"
    case .special(let kind): "\(kind), not a file"
    case .debugFile: "a program or debug file, not a crash report: pass it with --symbols"
    case .archive(let error): error.reason
    case .limit(let words): words
    }
  }
}
