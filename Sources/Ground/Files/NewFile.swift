public import Bytes
internal import Glibc

/// The durability of a file: its state after a power failure, once it was reported as written.
///
/// All files of the program are written by these two rules. Both kinds appear under their name only when they
/// are complete, for every process.
public enum Durability: Sendable {
  /// The file is there and complete: its bytes are on disk before it gets its name, and the name is before
  /// ``NewFile/finish()`` returns. For everything that is acknowledged or cannot be recreated.
  case lasting
  /// The file may be missing or truncated: nothing is synced. For data that can be recreated and is checked
  /// when it is read, such as caches, and for files that their owner syncs later.
  case renewable
}

/// A file, accessible to its owner only, that is written under a temporary name and renamed once it is
/// complete; otherwise removed.
public final class NewFile {
  /// Open for writing.
  public let file: OpenFile
  public let path: String
  private let temporary: String
  private let replacing: Bool
  private let durability: Durability
  private var isDone = false

  /// - Parameters:
  ///   - folder: The folder of the temporary file, on the same file system. Default: that of the final path.
  ///   - replacing: Whether an existing file may be replaced.
  /// - Throws: `FileError`, with the code `EEXIST` when something exists at `path` and may not be replaced.
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

  /// Appends bytes.
  ///
  /// - Parameter withHoles: Whether zeros take no space on disk, as far as block sizes allow: much of a core
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

  /// Bytes examined together: a hole is written where all are zeros.
  private static let holeSize = 256 << 10

  /// Syncs the file where it has to last, and gives it its final name.
  ///
  /// - Throws: `FileError` when that fails, with the code `EEXIST` when something that may not be replaced
  ///   has appeared at the path.
  public func finish() throws(FileError) {
    try sync()
    try takeFinalName()
    if durability == .lasting { try Folder.sync(Folder.parent(of: path)) }
  }

  /// Syncs the bytes to disk if they have to last: the first part of ``finish()``, for callers that finish
  /// many files at a time.
  public func sync() throws(FileError) {
    if durability == .lasting { try file.sync(name: path) }
  }

  /// Renames the file: the second part. The third is ``Folder/sync(_:)``, once per folder.
  public func takeFinalName() throws(FileError) {
    if !replacing {
      // A link, unlike a rename, replaces nothing. Some file systems don't support links.
      if link(temporary, path) == 0 { return }
      if errno == EEXIST { throw FileError("make", path: path, code: EEXIST) }
    }
    guard rename(temporary, path) == 0 else { throw FileError("write", path: path) }
    isDone = true
  }

  deinit { if !isDone { unlink(temporary) } }
}
