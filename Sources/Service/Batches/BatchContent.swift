internal import Bytes
internal import Files
internal import Glibc

/// The bytes of a batch's file: in memory, or in a file of which only what is needed is read. A file that is mapped would
/// let its pages count as memory of the process.
enum BatchContent: Sendable {
  case memory(ByteView)
  /// A file that is opened each time: a merge may have more files than a process may have open.
  case named(path: String, size: Int)
  case unnamed(UnnamedFile, size: Int)

  init(path: String) throws(FileError) {
    let status = try OpenFile.opening(path).status(name: path)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw FileError("read", path: path, code: EINVAL, detail: "not a regular file")
    }
    self = .named(path: path, size: Int(status.st_size))
  }

  var count: Int {
    switch self {
    case .memory(let bytes): bytes.count
    case .named(_, let size), .unnamed(_, let size): size
    }
  }

  /// The bytes in `range`; fewer where the file ends.
  func part(_ range: Range<Int>) throws(FileError) -> ByteView {
    switch self {
    case .memory(let bytes): bytes.clamped(range)
    case .named(let path, _): try ByteView(reading: path, range: range)
    case .unnamed(let file, _):
      try file.file.part(at: range.lowerBound, count: range.count, name: file.path)
    }
  }
}
