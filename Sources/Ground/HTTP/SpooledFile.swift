public import Bytes
internal import Crypto
internal import Files
internal import Glibc

/// A body, or a part of one, that was written to the spool folder; its space is given back with the
/// last reference, unless it was kept.
///
/// `@unchecked Sendable`: written by one thread before it is handed out, and only read afterwards.
public final class SpooledFile: @unchecked Sendable {
  /// Open for reading and writing; closed with the last reference. Its position is at the end: read
  /// with pread(2).
  public var descriptor: Int32 { file.file.number }
  /// The length in bytes.
  public private(set) var count = 0
  /// SHA-256 of the bytes: 32 of them; none where it was not wanted.
  public private(set) var digest: [UInt8] = []
  /// A name by which this process can open the file as long as it is referenced.
  public var path: String { file.path }
  private let file: UnnamedFile
  private var hash: SHA256?

  /// - Parameter isHashed: Whether ``digest`` is wanted.
  /// - Throws: ``HTTPError/spool(_:)`` where the folder takes no file.
  init(in folder: String, isHashed: Bool = true) throws(HTTPError) {
    hash = isHashed ? SHA256() : nil
    do throws(FileError) {
      file = try UnnamedFile(in: folder)
    } catch {
      throw .spool(error.code)
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPError) {
    hash?.update(RawSpan(_unsafeBytes: bytes))
    guard ByteView.write(bytes, to: descriptor) else { throw .spool(errno) }
    count += bytes.count
  }

  func finish() {
    if let hash = hash.take() { digest = hash.finish() }
  }

  /// Gives the file the name `path` on the same file system, for good; an existing file stays.
  ///
  /// The bytes are not synced: see fsync(2).
  /// - Returns: `false` where `path` exists.
  /// - Throws: ``HTTPError/spool(_:)`` with the system's reason.
  public func keep(at path: String) throws(HTTPError) -> Bool {
    do throws(FileError) {
      return try file.link(to: path)
    } catch {
      throw .spool(error.code)
    }
  }

  /// All bytes, in memory.
  ///
  /// - Throws: ``HTTPError/spool(_:)`` where they cannot be read.
  public func read() throws(HTTPError) -> ByteView {
    do throws(FileError) {
      let bytes = try file.file.head(count, name: path)
      guard bytes.count == count else { throw FileError("read", path: path, code: EIO) }
      return bytes
    } catch {
      throw .spool(error.code)
    }
  }
}
