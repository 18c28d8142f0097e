internal import Bytes
internal import Files
internal import Glibc

/// An open file, or a part of one, that a response sends; closed with the last reference.
public final class ResponseFile: Sendable {
  /// Shared by the parts of a file.
  private final class Handle: Sendable {
    let file: OpenFile

    init(_ file: consuming OpenFile) { self.file = file }
  }

  private let handle: Handle
  var descriptor: Int32 { handle.file.number }
  let offset: UInt64
  /// The length in bytes of what is sent.
  public let count: UInt64

  /// The whole of a file.
  ///
  /// - Throws: ``HTTPError/spool(_:)`` with the system's reason.
  public init(path: String) throws(HTTPError) {
    do throws(FileError) {
      let file = try OpenFile.opening(path)
      let status = try file.status(name: path)
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw FileError("read", path: path, code: EINVAL)
      }
      handle = Handle(file)
      offset = 0
      count = UInt64(clamping: status.st_size)
    } catch {
      throw .spool(error.code)
    }
  }

  /// `count` bytes from `offset` on of an open file, which is taken over.
  public init(taking descriptor: Int32, offset: UInt64 = 0, count: UInt64) {
    handle = Handle(OpenFile(taking: descriptor))
    self.offset = offset
    self.count = count
  }

  private init(_ handle: Handle, offset: UInt64, count: UInt64) {
    self.handle = handle
    self.offset = offset
    self.count = count
  }

  /// A part of it, which must lie within.
  func part(from start: UInt64, count: UInt64) -> ResponseFile {
    ResponseFile(handle, offset: offset + start, count: count)
  }
}
