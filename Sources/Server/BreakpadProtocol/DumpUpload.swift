internal import Archives
internal import Bytes
internal import Compression
internal import JSON
internal import ReportFormats
internal import ServerStore

/// A client's upload: one or more minidumps, annotations, and other files.
struct DumpUpload {
  /// Why the upload is refused, for the sender.
  struct Refused: Error {
    let reason: String
  }

  private var dumps: [MultipartForm.Part] = []
  private var files: [MultipartForm.Part] = []
  private var fields: [MultipartForm.Part] = []

  /// - Parameters:
  ///   - bytes: The body as it was sent.
  ///   - codings: The content codings, to be undone from last to first.
  ///   - limit: The maximum number of decompressed bytes.
  init(
    _ bytes: ByteView, contentType: String, codings: [String], limit: Int
  ) throws(Refused) {
    let body: ByteView
    do {
      body = try ContentCoding.undo(codings.joined(separator: ", "), of: bytes, limit: limit)
    } catch {
      throw Refused(reason: "the body cannot be unpacked: \(error)")
    }
    guard !body.isEmpty else { throw Refused(reason: "the body is empty") }
    guard let form = MultipartForm(body, boundary: Self.boundary(in: contentType)) else {
      throw Refused(reason: "the body is not a form with its boundary: \(contentType)")
    }
    for part in form.parts {
      if part.fileName == nil, part.contentType == "application/json",
        let members = Self.members(of: part)
      {
        fields += members
      } else if part.fileName == nil, !part.name.hasPrefix(Self.dumpName) {
        fields.append(part)
      } else if part.name.hasPrefix(Self.dumpName) || Self.isDump(part.bytes) {
        dumps.append(part)
      } else {
        files.append(part)
      }
    }
    guard !dumps.isEmpty || !files.isEmpty else {
      throw Refused(reason: "the form has no \(Self.dumpName)")
    }
  }

  /// The field with the crashed process's dump; those of other processes have it as a prefix.
  private static let dumpName = "upload_file_minidump"

  private static func isDump(_ bytes: ByteView) -> Bool {
    [.minidump, .bigEndianMinidump].contains(FileMagic(of: bytes))
  }

  /// Returns an object's members as fields: Mozilla's clients send all annotations in one.
  private static func members(of part: MultipartForm.Part) -> [MultipartForm.Part]? {
    guard let members = try? JSONDocument.parse(part.bytes).value.object else { return nil }
    return members.compactMap { member in
      member.value.string.map {
        MultipartForm.Part(
          name: member.key, fileName: nil, contentType: nil, bytes: ByteView($0.utf8))
      }
    }
  }

  private static func boundary(in contentType: String) -> String? {
    let parts = contentType.split(separator: ";").dropFirst()
    for part in parts {
      let part = part.drop { $0 == " " }
      guard part.lowercased().hasPrefix("boundary=") else { continue }
      return part.dropFirst(9).filter { $0 != "\"" }
    }
    return nil
  }

  /// Returns an archive with a form for each dump and the annotations; files are attachments of the first.
  func archive(in scratch: ScratchSpace) throws -> ByteView {
    try ArchiveWriter.scratch(in: scratch.path, named: "minidump") { writer in
      var names: Set<String> = []
      for (index, dump) in dumps.enumerated() {
        let document = MultipartForm.document(
          fields + files.compactMap(\.lastWords).prefix(1) + [
            MultipartForm.Part(
              name: dump.name, fileName: "minidump.dmp", contentType: "application/octet-stream",
              bytes: try Self.unpacked(dump.bytes))
          ], boundary: String(index))
        let name = Self.name(dump, otherwise: "minidump-\(index + 1).dmp", among: &names)
        try writer.add(name, ByteView(document), modified: 0)
        guard index == 0 else { continue }
        var inner: Set<String> = []
        for (index, file) in files.enumerated() {
          let attachment = Self.name(file, otherwise: "attachment-\(index + 1)", among: &inner)
          try writer.add("\(name).attachments/\(attachment)", file.bytes, modified: 0)
        }
      }
      // Without a dump, a log may still be a report.
      guard dumps.isEmpty else { return }
      for (index, file) in files.enumerated() {
        let name = Self.name(file, otherwise: "file-\(index + 1)", among: &names)
        try writer.add(name, file.bytes, modified: 0)
      }
    }
  }

  /// Returns the dump, decompressed if the client compressed it separately.
  private static func unpacked(_ bytes: ByteView) throws -> ByteView {
    guard FileMagic(of: bytes) == .gzip else { return bytes }
    return (try? ContentCoding.undo("gzip", of: bytes, limit: limit)) ?? bytes
  }

  private static let limit = 100 << 20

  /// Returns the client's file name as far as it is valid, and unique.
  private static func name(
    _ part: MultipartForm.Part, otherwise: String, among names: inout Set<String>
  ) -> String {
    let last = (part.fileName ?? "").split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    var name = last.utf8.count > 200 || !ArchiveWriter.isSafe(last) ? otherwise : last
    while !names.insert(name).inserted { name = "\(names.count)-\(name)" }
    return name
  }
}
