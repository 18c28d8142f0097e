public import Bytes
internal import Glibc

/// The durability of a file: its state after a loss of power, once it was reported as written.
///
/// All files of the program are written by these two rules. Both kinds appear under their name only
/// when they are whole, for every process that looks.
public enum Durability: Sendable {
  /// It is there, whole: its bytes are on the disk before it gets its name, and the name is before
  /// ``NewFile/finish()`` returns. For all that is acknowledged, or that cannot be made again.
  case lasting
  /// It may be gone or cut: nothing is waited for. For what can be made again and is checked when
  /// it is read, such as caches, and what its owner syncs later.
  case renewable
}

/// A file, for its owner only, that is written under a temporary name and renamed when it is whole;
/// removed unless it is.
public final class NewFile {
  /// Open for writing.
  public let file: OpenFile
  public let path: String
  private let temporary: String
  private let replacing: Bool
  private let durability: Durability
  private var isDone = false

  /// - Parameters:
  ///   - folder: Where it is until it is whole, on the same file system; next to its final path
  ///     unless given.
  ///   - replacing: Whether a file that is there may be replaced.
  /// - Throws: `FileError`, with the code `EEXIST` when something stands at `path` and may not be
  ///   replaced.
  public init(
    at path: String, in folder: String? = nil, replacing: Bool = true,
    _ durability: Durability = .lasting
  ) throws(FileError) {
    self.path = path
    self.replacing = replacing
    self.durability = durability
    var status = stat()
    if !replacing && lstat(path, &status) == 0 {
      throw FileError("make", path: path, code: EEXIST)
    }
    if stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG {
      throw FileError("replace", path: path, code: EINVAL, detail: "not a regular file")
    }
    let random = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    temporary = folder.map { "\($0)/\(random).tmp" } ?? "\(path).\(random).tmp"
    do throws(FileError) {
      file = try OpenFile.making(temporary)
    } catch {
      throw FileError("make", path: path, code: error.code)
    }
  }

  /// Writes a whole file.
  public static func write(
    _ bytes: ByteView, to path: String, replacing: Bool = true,
    _ durability: Durability = .lasting
  ) throws(FileError) {
    let new = try NewFile(at: path, replacing: replacing, durability)
    try new.write(bytes)
    try new.finish()
  }

  /// Adds bytes at the end.
  ///
  /// - Parameter withHoles: Whether zeros take no room on the disk, as far as its blocks allow: much of a core
  ///   is zeros.
  public func write(_ bytes: ByteView, withHoles: Bool = false) throws(FileError) {
    guard withHoles else { return try bytes.write(to: file.number, named: path) }
    var start = 0
    while start < bytes.count {
      let part = bytes.clamped(start..<start.addingClamped(Self.holeSize))
      if part.isZero {
        guard lseek(file.number, off_t(part.count), SEEK_CUR) >= 0 else {
          throw FileError("write", path: path)
        }
      } else {
        try part.write(to: file.number, named: path)
      }
      part.forgetPages()
      start += part.count
    }
    // The last bytes may be a hole.
    let end = lseek(file.number, 0, SEEK_CUR)
    guard end >= 0, ftruncate(file.number, end) == 0 else { throw FileError("write", path: path) }
  }

  /// Bytes that are looked at together: all zeros are a hole.
  private static let holeSize = 256 << 10

  /// Puts the file in its place.
  ///
  /// - Throws: `FileError` when that fails, with the code `EEXIST` when something that may not be
  ///   replaced stands there by now.
  public func finish() throws(FileError) {
    try sync()
    try takePlace()
    if durability == .lasting { try Folder.sync(Folder.parent(of: path)) }
  }

  /// Brings the bytes to the disk, if they are to last: the first part of ``finish()``, for those
  /// who finish many at a time.
  public func sync() throws(FileError) {
    if durability == .lasting { try file.sync(name: path) }
  }

  /// Gives the file its name: the second part. The third is ``Folder/sync(_:)``, once for a folder.
  public func takePlace() throws(FileError) {
    if !replacing {
      // A link, unlike a rename, replaces nothing. Some file systems have none.
      if link(temporary, path) == 0 { return }
      if errno == EEXIST { throw FileError("make", path: path, code: EEXIST) }
    }
    guard rename(temporary, path) == 0 else { throw FileError("write", path: path) }
    isDone = true
  }

  deinit { if !isDone { unlink(temporary) } }
}
