internal import Bytes
internal import Compression
internal import CrashModel

extension ReportFormat {
  /// A crash of Unreal Engine: its archive, or the context alone.
  static let unreal = ReportFormat("unreal")
}

/// A crash as Unreal's crash reporter sends it: a zlib stream with files, or the file with the context alone.
///
/// The minidump among the files is a separate report, with the facts of the context.
///
/// Source: CrashReportClient and GenericPlatformCrashContext of Unreal Engine; symbolic-unreal of Sentry.
enum UnrealReader: DocumentReader {
  static let format = ReportFormat.unreal
  static let fileExtension = "ue4crash"
  static let openings: [StaticString] = ["<?xml", "<FGenericCrashContext"]
  static let isBinary = true

  static func recognises(_ bytes: ByteView) -> Bool {
    if UnrealContext.recognises(bytes.clamped(0..<1024).bytes) { return true }
    do throws(ParseError) {
      return UnrealArchive.recognises(try UnrealArchive.inflated(bytes))
    } catch {
      return false
    }
  }

  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    if UnrealContext.recognises(bytes.clamped(0..<1024).bytes) {
      // Line ends of Windows, and a byte-order mark, are those of the file.
      let text = CleanedText(bytes.clamped(0..<UnrealContext.limit)).bytes
      return [UnrealContext(text.text).report()]
    }
    let archive = try UnrealArchive(reading: try UnrealArchive.inflated(bytes))
    let context = archive.files.first { $0.name.lowercased().hasSuffix(".runtime-xml") }
      .map { UnrealContext($0.bytes.clamped(0..<UnrealContext.limit).text) }
    var reports: [CrashReport] = []
    for file in archive.files where file.name.lowercased().hasSuffix(".dmp") {
      do throws(ParseError) {
        // On some systems the "minidump" is a text.
        for var report in try FormatRegistry.builtIn.reports(in: file.bytes) {
          context?.add(to: &report)
          reports.append(report)
        }
      } catch {
        if reports.isEmpty, let context {
          var report = context.report()
          report.notes.append("\(file.name) could not be read: \(error.refusal)")
          reports.append(report)
        }
      }
    }
    if reports.isEmpty, let context { reports = [context.report()] }
    guard !reports.isEmpty else {
      throw ParseError(.notRecognised, in: "an archive of Unreal without a crash", at: 0)
    }
    if let note = archive.note { reports[reports.count - 1].notes.append(note) }
    return reports
  }
}

/// The files of an archive.
///
///     SIZE  FIELD
///        3  "CR1", in new archives
///      4+n  the length of a name, then the name with NULs: of the folder; again: of the archive
///        4  bytes of the archive; 4: how many files
///     then for each file
///        4  its number; 4+n: its name; 4: its size; n: its bytes
///
/// Old archives have a header of zeros there, and the real one at their end. Numbers are little-endian.
struct UnrealArchive {
  struct File {
    let name: String
    let bytes: ByteView
  }

  private static let packedBytes = 256 << 20
  private static let limit = 512 << 20
  private static let nameBytes: UInt32 = 4096
  private static let fileCount = 256

  private(set) var files: [File] = []
  private(set) var note: String?

  static func inflated(_ bytes: ByteView) throws(ParseError) -> ByteView {
    guard bytes.starts(with: [0x78]), bytes.count <= packedBytes,
      case .zlib? = FileMagic(of: bytes)
    else { throw ParseError(.notRecognised, in: "no archive of Unreal", at: 0) }
    do {
      return try ContentCoding.undo("deflate", of: bytes, limit: limit)
    } catch {
      throw ParseError(.invalid("the zlib stream is damaged"), in: "an archive of Unreal", at: 0)
    }
  }

  static func recognises(_ bytes: ByteView) -> Bool {
    if bytes.starts(with: Array("CR1".utf8)) { return true }
    guard bytes.starts(with: [4, 1, 0, 0]), bytes.count > 540 else { return false }
    let name = bytes.clamped(4..<10).array
    return name.first == 0 || name.starts(with: Array("UE".utf8))
  }

  init(reading bytes: ByteView) throws(ParseError) {
    let text = bytes.bytes
    var offset = bytes.starts(with: Array("CR1".utf8)) ? 3 : 0
    guard Self.name(in: text, at: &offset) != nil, Self.name(in: text, at: &offset) != nil,
      Self.number(in: text, at: &offset) != nil, let first = Self.number(in: text, at: &offset)
    else {
      throw ParseError(
        .truncated(needed: 536, left: bytes.count), in: "an archive of Unreal", at: 0)
    }
    var count = Int(first)
    if count == 0 {
      var last = max(0, bytes.count - 4)
      count = Int(Self.number(in: text, at: &last) ?? 0)
    }
    for _ in 0..<min(count, Self.fileCount) {
      guard Self.number(in: text, at: &offset) != nil, let name = Self.name(in: text, at: &offset),
        let size = Self.number(in: text, at: &offset), Int(size) <= bytes.count - offset
      else {
        note = "the archive is cut off: files are missing"
        return
      }
      files.append(File(name: name, bytes: bytes.clamped(offset..<(offset + Int(size)))))
      offset += Int(size)
    }
  }

  private static func number(in bytes: RawSpan, at offset: inout Int) -> UInt32? {
    guard offset >= 0, offset <= bytes.byteCount - 4 else { return nil }
    var value: UInt32 = 0
    for index in (0..<4).reversed() { value = value << 8 | UInt32(bytes.byte(offset + index)) }
    offset += 4
    return value
  }

  private static func name(in bytes: RawSpan, at offset: inout Int) -> String? {
    guard let count = number(in: bytes, at: &offset), count <= nameBytes,
      Int(count) <= bytes.byteCount - offset
    else { return nil }
    let name = bytes.part(offset..<(offset + Int(count)))
    offset += Int(count)
    return name.upTo(name.find(0) ?? name.byteCount).name
  }
}
