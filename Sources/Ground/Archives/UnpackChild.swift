internal import CArchive
internal import ChildProcess
internal import Glibc

/// The unpacking process: this program started again to read one archive, and nothing else.
///
/// libarchive parses untrusted input, so it runs where a bug in it costs one archive: without files, without
/// network, with little memory and time.
public enum UnpackChild {
  /// The hidden subcommand that runs it.
  public static let subcommand = "__unpack"

  /// Reads the archive on standard input and writes its members to standard output in the format of
  /// `UnpackFrame`. The arguments after the subcommand are the most bytes of a member and of address space,
  /// the most seconds of processor time, how many members to skip, and the most bytes of a single compressed
  /// file, which may be a dump.
  ///
  /// - Returns: The exit status: 0 done, 2 wrong usage, 3 no sandbox.
  public static func run() -> Int32 {
    let numbers = CommandLine.arguments.dropFirst(2).compactMap { UInt64($0) }
    guard numbers.count == 5 else { return 2 }
    // The library, and what it would load later, once no file can be opened any more.
    archive_load()
    setlocale(LC_CTYPE, "C.UTF-8")
    tzset()
    guard let inForce = Sandbox.enter(bytes: numbers[1], seconds: numbers[2]) else { return 3 }
    var output = UnpackOutput()
    output.write(.hello, [UInt8(truncatingIfNeeded: inForce.bits)])
    var unpacker = Unpacker(
      memberLimit: numbers[0], fileLimit: numbers[4], passOver: numbers[3], output: output)
    unpacker.run()
    return 0
  }
}

/// Frames on standard output; ends the process when the reader has closed it.
private struct UnpackOutput {
  /// A frame under construction: room for the header and the largest payload.
  var buffer = [UInt8](repeating: 0, count: UnpackFrame.headerSize + UnpackFrame.limit)

  mutating func write(_ frame: UnpackFrame, _ payload: some Collection<UInt8> = [UInt8]()) {
    let kept = payload.prefix(UnpackFrame.limit)
    var index = UnpackFrame.headerSize
    for byte in kept {
      buffer[index] = byte
      index += 1
    }
    send(frame, count: kept.count)
  }

  /// Sends the first `count` bytes of the payload that is in the buffer already.
  mutating func send(_ frame: UnpackFrame, count: Int) {
    buffer[0] = frame.rawValue
    for index in 0..<4 { buffer[1 + index] = UInt8(truncatingIfNeeded: count >> (8 * index)) }
    var done = 0
    let size = UnpackFrame.headerSize + count
    while done < size {
      let written = buffer.withUnsafeBytes {
        Glibc.write(1, $0.baseAddress?.advanced(by: done), size - done)
      }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { exit(1) }
      done += written
    }
  }
}

/// Walks the archive on standard input.
private struct Unpacker {
  let memberLimit: UInt64
  /// The most bytes of a single compressed file.
  let fileLimit: UInt64
  /// Members that still have to be skipped.
  var passOver: UInt64
  var output: UnpackOutput

  mutating func run() {
    guard let archive = archive_read_new() else {
      output.write(.damaged, "out of memory".utf8)
      return
    }
    defer { archive_read_free(archive) }
    archive_read_support_filter_gzip(archive)
    archive_read_support_filter_bzip2(archive)
    archive_read_support_filter_xz(archive)
    archive_read_support_filter_zstd(archive)
    archive_read_support_filter_lz4(archive)
    archive_read_support_format_zip(archive)
    archive_read_support_format_tar(archive)
    archive_read_support_format_raw(archive)
    archive_read_support_format_empty(archive)
    guard archive_read_open_fd(archive, 0, 1 << 17) == ARCHIVE_OK else {
      output.write(.damaged, message(archive).utf8)
      return
    }
    while true {
      var entry: OpaquePointer?
      let status = archive_read_next_header(archive, &entry)
      if status == ARCHIVE_EOF { break }
      if status == ARCHIVE_RETRY { continue }
      guard status >= ARCHIVE_WARN, let entry else {
        output.write(.damaged, message(archive).utf8)
        return
      }
      guard readMember(entry, of: archive) else { return }
    }
    // A compressed file without content has no entry at all, but is still a file.
    if archive_format(archive) == ARCHIVE_FORMAT_EMPTY, archive_filter_count(archive) > 1 {
      output.write(.member, [1])
      output.write(.end)
    }
    output.write(.done)
  }

  /// Returns whether the archive can be read further.
  private mutating func readMember(_ entry: OpaquePointer, of archive: OpaquePointer) -> Bool {
    // Folders, links and devices have no content; the target of a hard link is its own member.
    guard archive_entry_filetype(entry) == S_IFREG, archive_entry_hardlink(entry) == nil else {
      return true
    }
    guard passOver == 0 else {
      passOver -= 1
      return true
    }
    let isRaw = archive_format(archive) == ARCHIVE_FORMAT_RAW
    if isRaw && archive_filter_count(archive) < 2 {
      output.write(.damaged, "neither an archive nor compressed".utf8)
      return false
    }
    output.write(.member, [isRaw ? 1 : 0] + name(of: entry))
    if archive_entry_is_data_encrypted(entry) != 0 {
      output.write(.refused, [UnpackRefusal.encrypted.rawValue])
      return true
    }
    let size = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : 0
    if size < 0 || UInt64(size) > memberLimit {
      output.write(.refused, [UnpackRefusal.tooLarge.rawValue])
      return true
    }
    return readData(of: archive, limit: isRaw ? fileLimit : memberLimit)
  }

  private mutating func readData(of archive: OpaquePointer, limit: UInt64) -> Bool {
    var total: UInt64 = 0
    while true {
      let count = output.buffer.withUnsafeMutableBytes {
        archive_read_data(
          archive, $0.baseAddress?.advanced(by: UnpackFrame.headerSize), UnpackFrame.limit)
      }
      if count == 0 {
        output.write(.end)
        return true
      }
      if count == Int(ARCHIVE_RETRY) { continue }
      // A warning comes instead of bytes, so something is missing.
      guard count > 0 else {
        let words = Array(message(archive).utf8)
        guard count > Int(ARCHIVE_FATAL) else {
          output.write(.damaged, words)
          return false
        }
        output.write(.refused, [UnpackRefusal.damaged.rawValue] + words)
        return true
      }
      total += UInt64(count)
      guard total <= limit else {
        output.write(.refused, [UnpackRefusal.tooLarge.rawValue])
        return true
      }
      output.send(.data, count: count)
    }
  }

  private func name(of entry: OpaquePointer) -> [UInt8] {
    guard let name = archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry) else {
      return []
    }
    let count = min(strlen(name), UnpackFrame.nameLimit)
    return Array(UnsafeRawBufferPointer(start: name, count: count))
  }

  private func message(_ archive: OpaquePointer) -> String {
    archive_error_string(archive).map { String(cString: $0) } ?? "cannot be read"
  }
}
