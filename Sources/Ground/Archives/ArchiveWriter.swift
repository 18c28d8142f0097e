public import Bytes
internal import CArchive
internal import Files
internal import Glibc

/// Writes an archive member by member, straight to a file or a descriptor.
///
/// The same members in the same order give the same bytes: owner, permissions and times are the
/// ones given here, never the machine's. Memory does not grow with the contents. Zip stores local
/// times, so the process must run in UTC, which ``ProcessTimeZone`` ensures.
public struct ArchiveWriter: ~Copyable {
  public enum Format: Sendable {
    /// Deflated members, readable everywhere.
    case zip
    /// The tar of POSIX (pax), compressed as a whole with zstd.
    case tarZstd
  }

  /// The most bytes of a member's name.
  public static let nameLimit = 1024

  /// Bytes of a member that are written at once.
  private static let window = 16 << 20

  /// The type of a regular file, which both C libraries declare. Source: stat.h.
  private static let regularFile: UInt32 = 0o100_000

  private let archive: OpaquePointer
  private let entry: OpaquePointer
  private let name: String
  /// The file that gets its name once the archive is complete; `nil` for a caller's descriptor.
  private let file: NewFile?
  private var member: OpenMember?

  private struct OpenMember {
    let name: String
    let size: Int
    var written = 0
  }

  /// An archive at `path`. It appears there once it is complete: until ``finish()`` returns, an
  /// existing file stays.
  ///
  /// - Parameter replacing: Whether an existing file may be replaced.
  /// - Throws: ``ArchiveWriteError`` when one exists and may not be replaced, or none can be
  ///   created.
  public init(
    creating path: String, format: Format, replacing: Bool = false
  ) throws(ArchiveWriteError) {
    let file: NewFile
    do throws(FileError) {
      file = try NewFile(at: path, replacing: replacing)
    } catch {
      throw ArchiveWriteError(making: path, error)
    }
    let (archive, entry) = try Self.begin(to: file.file.number, named: path, format: format)
    self.init(archive: archive, entry: entry, name: path, file: file)
  }

  /// An archive written to an open descriptor, which the caller still owns.
  ///
  /// - Parameter name: Its name in errors.
  /// - Throws: ``ArchiveWriteError`` when memory is short.
  public init(
    to descriptor: Int32, named name: String, format: Format
  ) throws(ArchiveWriteError) {
    let (archive, entry) = try Self.begin(to: descriptor, named: name, format: format)
    self.init(archive: archive, entry: entry, name: name, file: nil)
  }

  private init(archive: OpaquePointer, entry: OpaquePointer, name: String, file: NewFile?) {
    self.archive = archive
    self.entry = entry
    self.name = name
    self.file = file
  }

  private static func begin(
    to descriptor: Int32, named name: String, format: Format
  ) throws(ArchiveWriteError) -> (archive: OpaquePointer, entry: OpaquePointer) {
    guard let archive = archive_write_new() else { throw .library(name, "out of memory") }
    inUTF8 { prepare(archive, format) }
    guard archive_write_open_fd(archive, descriptor) == ARCHIVE_OK, let entry = archive_entry_new()
    else {
      let error = failure(of: archive, named: name)
      archive_write_free(archive)
      throw error
    }
    return (archive, entry)
  }

  private static func prepare(_ archive: OpaquePointer, _ format: Format) {
    switch format {
    case .zip:
      archive_write_set_format_zip(archive)
      archive_write_zip_set_compression_deflate(archive)
      archive_write_set_format_option(archive, "zip", "hdrcharset", "UTF-8")
    case .tarZstd:
      archive_write_set_format_pax_restricted(archive)
      archive_write_set_format_option(archive, "pax", "hdrcharset", "UTF-8")
      archive_write_add_filter_zstd(archive)
    }
    // No padding after the end, whatever the descriptor is.
    archive_write_set_bytes_in_last_block(archive, 1)
  }

  /// Runs `body` in a locale of UTF-8: the library converts names by the locale of the thread.
  private static func inUTF8<Result>(_ body: () -> Result) -> Result {
    guard let locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return body() }
    let former = uselocale(locale)
    defer {
      uselocale(former)
      freelocale(locale)
    }
    return body()
  }

  /// Adds a file.
  ///
  /// - Parameters:
  ///   - name: Its path in the archive: `folder/file`.
  ///   - modified: Seconds since 1970 in UTC; zip cannot store times before 1980.
  /// - Throws: ``ArchiveWriteError`` for a name that ``isSafe(_:)`` refuses, or when writing fails.
  public mutating func add(
    _ name: String, _ bytes: ByteView, modified: Int64
  ) throws(ArchiveWriteError) {
    try begin(name, size: bytes.count, modified: modified)
    var start = 0
    while start < bytes.count {
      let part = bytes.clamped(start..<start.addingClamped(Self.window))
      try write(part)
      // A mapped core must not stay in memory while it is written.
      if bytes.count > Self.window { part.forgetPages() }
      start += part.count
    }
    try end()
  }

  /// Adds the file at `path` on disk in chunks, with the size that it has at the start.
  ///
  /// - Throws: ``ArchiveWriteError``, also when the file shrinks meanwhile.
  public mutating func add(
    _ name: String, contentsOf path: String, modified: Int64
  ) throws(ArchiveWriteError) {
    let source = try Self.source(path)
    let size: Int
    do throws(FileError) { size = Int(try source.status(name: path).st_size) } catch {
      throw .file(error)
    }
    try begin(name, size: size, modified: modified)
    var left = size
    while left > 0 {
      let piece: ByteView
      do throws(FileError) { piece = try source.next(min(left, 1 << 17), name: path) } catch {
        throw .file(error)
      }
      guard !piece.isEmpty else { break }
      try write(piece)
      left -= piece.count
    }
    try end()
  }

  private static func source(_ path: String) throws(ArchiveWriteError) -> OpenFile {
    do throws(FileError) {
      let file = try OpenFile.opening(path)
      guard try file.status(name: path).st_mode & S_IFMT == S_IFREG else {
        throw FileError("read", path: path, code: EINVAL, detail: "not a regular file")
      }
      return file
    } catch {
      throw .file(error)
    }
  }

  /// Begins a file of `size` bytes, written by ``write(_:)`` and ended by ``end()``.
  ///
  /// - Throws: ``ArchiveWriteError`` for a name that ``isSafe(_:)`` refuses, or when writing fails.
  public mutating func begin(
    _ name: String, size: Int, modified: Int64
  ) throws(ArchiveWriteError) {
    precondition(member == nil && size >= 0, "a member is ended before the next one begins")
    guard Self.isSafe(name) else { throw .unsafeName(name) }
    archive_entry_clear(entry)
    archive_entry_set_pathname(entry, name)
    archive_entry_set_filetype(entry, Self.regularFile)
    archive_entry_set_perm(entry, 0o644)
    archive_entry_set_size(entry, Int64(size))
    archive_entry_set_mtime(entry, time_t(modified), 0)
    let (archive, entry) = (archive, entry)
    try check(Self.inUTF8 { archive_write_header(archive, entry) })
    member = OpenMember(name: name, size: size)
  }

  /// Writes more of the current file.
  ///
  /// - Throws: ``ArchiveWriteError`` when it exceeds the announced size, or when writing fails.
  public mutating func write(_ bytes: ByteView) throws(ArchiveWriteError) {
    guard var open = member else { preconditionFailure("no member was begun") }
    guard bytes.count <= open.size - open.written else {
      throw .wrongSize(open.name, announced: open.size)
    }
    open.written += bytes.count
    member = open
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        archive_write_data(archive, $0.baseAddress?.advanced(by: done), $0.count - done)
      }
      guard count > 0 else { throw failure() }
      done += count
    }
  }

  /// Ends the current file.
  ///
  /// - Throws: ``ArchiveWriteError`` when it is shorter than announced, or when writing fails.
  public mutating func end() throws(ArchiveWriteError) {
    guard let open = member else { preconditionFailure("no member was begun") }
    guard open.written == open.size else { throw .wrongSize(open.name, announced: open.size) }
    try check(archive_write_finish_entry(archive))
    member = nil
  }

  /// Writes the end of the archive; when this returns, a file is on disk under its name.
  ///
  /// - Throws: ``ArchiveWriteError`` when that fails; no file is left behind then.
  public consuming func finish() throws(ArchiveWriteError) {
    precondition(member == nil, "the last member is ended")
    try check(archive_write_close(archive))
    do throws(FileError) { try file?.finish() } catch {
      throw ArchiveWriteError(making: name, error)
    }
  }

  /// Whether a member may be called `name`: a relative path, downwards, of components that are
  /// valid names on every system, and safe to show.
  public static func isSafe(_ name: String) -> Bool {
    guard !name.isEmpty, name.utf8.count <= nameLimit else { return false }
    let isPlain = name.unicodeScalars.allSatisfy {
      $0.value >= 0x20 && $0.value != 0x7f && $0 != "\\" && $0 != ":"
    }
    return isPlain && DisplayText.escaped(name.utf8) == name
      && name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0 != "." && $0 != ".."
      }
  }

  private borrowing func check(_ status: Int32) throws(ArchiveWriteError) {
    // A warning means that something was left out; nothing may be.
    guard status == ARCHIVE_OK else { throw failure() }
  }

  private borrowing func failure() -> ArchiveWriteError { Self.failure(of: archive, named: name) }

  private static func failure(of archive: OpaquePointer, named name: String) -> ArchiveWriteError {
    let code = archive_errno(archive)
    let message = archive_error_string(archive).map { String(cString: $0) } ?? "out of memory"
    return code > 0 && message.hasPrefix("Write error")
      ? .file(FileError("write", path: name, code: code)) : .library(name, message)
  }

  deinit {
    // Freeing alone would write the end of an incomplete archive.
    archive_write_fail(archive)
    archive_write_free(archive)
    archive_entry_free(entry)
  }
}
