internal import Bytes
internal import CrashModel

/// Information of streams other than threads, modules and memory.
struct MinidumpDetails {
  private enum Limits {
    static let handles = 1 << 16
    static let resourceLimits = 64
    static let libraryNotes = 20
    static let recordBytes = 64 << 10
    /// UTF-16 units of all names of handles: many handles may name one text.
    static let handleText = 1 << 20
  }

  private let file: MinidumpFile

  init(_ file: MinidumpFile) { self.file = file }

  var details: DumpDetails {
    var details = DumpDetails()
    details.handles = handles
    details.limits = resourceLimits
    details.libraryNotes = libraryNotes
    details.writerErrors = writerErrors
    return details
  }

  ///     OFFSET  SIZE  FIELD
  ///          0     8  handle
  ///          8     4  offset of the name of its type
  ///         12     4  offset of the name of the object
  ///
  /// Source: MINIDUMP_HANDLE_DESCRIPTOR in minidumpapiset.h.
  private var handles: [DumpDetails.Handle] {
    var left = Limits.handleText
    func name(_ entry: ByteView, _ position: Int) -> String? {
      guard left > 0, let offset = file.number(entry, at: position, as: UInt32.self), offset > 0
      else { return nil }
      let text = file.wideText(
        at: UInt64(offset), limit: min(MinidumpFile.Limits.path, left))
      left -= text?.utf16.count ?? 0
      return text
    }
    return file.sizedEntries(of: .handleData, needed: 32, limit: Limits.handles).list.compactMap {
      entry in
      file.number(entry, at: 0, as: UInt64.self).map {
        DumpDetails.Handle(value: $0, type: name(entry, 8), object: name(entry, 12))
      }
    }
  }

  /// `/proc/PID/limits`: a line of headings, then columns separated by two blanks or more.
  ///
  /// Source: proc_pid_limits(5).
  private var resourceLimits: [DumpDetails.ResourceLimit] {
    guard let text = file[.linuxLimits]?.clamped(0..<MinidumpFile.Limits.text).text else {
      return []
    }
    return text.split(whereSeparator: \.isNewline).dropFirst().prefix(Limits.resourceLimits)
      .compactMap { line in
        // A name holds single blanks.
        let columns = line.utf8.split(separator: 32, omittingEmptySubsequences: false)
        var fields: [String] = []
        var isOpen = false
        for column in columns {
          if column.isEmpty {
            isOpen = false
          } else if isOpen {
            fields[fields.count - 1] += " " + String(Substring(column))
          } else {
            fields.append(String(Substring(column)))
            isOpen = true
          }
        }
        guard (3...4).contains(fields.count) else { return nil }
        return DumpDetails.ResourceLimit(
          name: fields[0], soft: fields[1], hard: fields[2],
          unit: fields.count == 4 ? fields[3] : "")
      }
  }

  /// Notes of Apple's libraries for crash reports. The stream begins with its type, the number of records,
  /// the size of the fixed part of a record, and a size and an offset for each. After the fixed part five
  /// texts follow, each up to a zero: path, message, signature, stack, second message.
  ///
  ///     OFFSET  SIZE  FIELD
  ///          0    16  type, version
  ///         16     8  thread
  ///         24     8  dialog mode
  ///         32     8  cause of the abort
  ///
  /// Source: MINIDUMP_MAC_CRASH_INFO in rust-minidump, `minidump-common/src/format.rs`.
  private var libraryNotes: [DumpDetails.LibraryNote] {
    guard let stream = file[.macCrashInfo], let count = file.number(stream, at: 4, as: UInt32.self),
      let fixed = file.number(stream, at: 8, as: UInt32.self)
    else { return [] }
    return (0..<min(Int(count), Limits.libraryNotes)).compactMap { index in
      guard let size = file.number(stream, at: 12 + index * 8, as: UInt32.self),
        let offset = file.number(stream, at: 16 + index * 8, as: UInt32.self),
        let record = file.part(at: offset, size: size)
      else { return nil }
      let end = max(Int(fixed), min(record.count, Limits.recordBytes))
      var texts = record.clamped(Int(fixed)..<end).array
        .split(separator: 0, maxSplits: 5, omittingEmptySubsequences: false)
        .map { String(decoding: $0, as: UTF8.self) }
      texts += [String](repeating: "", count: max(0, 5 - texts.count))
      func number(_ position: Int) -> UInt64 {
        // Older writers have a shorter fixed part.
        position + 8 <= Int(fixed) ? file.number(record, at: position, as: UInt64.self) ?? 0 : 0
      }
      return DumpDetails.LibraryNote(
        module: texts[0], message: texts[1], signature: texts[2], backtrace: texts[3],
        secondMessage: texts[4], thread: number(16), dialogMode: number(24),
        abortCause: number(32))
    }
  }

  /// Failures of the dump's writer, as rust-minidump's writer records them; `nil` for an empty list.
  private var writerErrors: String? {
    file[.softErrors].map { $0.clamped(0..<MinidumpFile.Limits.text).text }.flatMap {
      $0 == "[]" ? nil : $0
    }
  }
}
