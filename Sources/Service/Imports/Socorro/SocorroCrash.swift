internal import Bytes
internal import Identifiers
internal import JSON

extension SocorroImport {
  /// The files of one crash.
  struct Crash {
    let id: String
    /// The path of the first of them.
    let path: String
    private(set) var raw: JSONValue?
    private(set) var rawBytes: ByteView?
    private(set) var processed: ByteView?
    private(set) var processedValue: JSONValue?
    /// The dump of the process that crashed first.
    private(set) var dumps: [(name: String, bytes: ByteView)] = []
    private(set) var others: [(name: String, bytes: ByteView)] = []

    init(id: String, path: String) {
      self.id = id
      self.path = path
    }

    mutating func add(_ bytes: ByteView, _ path: String) {
      if bytes.starts(with: "MDMP".utf8) || bytes.starts(with: "PMDM".utf8) {
        let name = name(path) ?? "upload_file_minidump"
        let isMain = ["dump", "upload_file_minidump", "minidump"].contains(name)
        dumps.insert((name + ".dmp", bytes), at: isMain ? 0 : dumps.endIndex)
        return
      }
      if ExportDocuments.begins(bytes), let value = ExportDocuments(bytes).values.first {
        if processed == nil, value.member("json_dump") != nil || value.member("crash_info") != nil {
          processed = bytes
          processedValue = value
          return
        }
        let isRaw = ["ProductName", "submitted_timestamp", "Version"].contains {
          value.member($0) != nil
        }
        if raw == nil, isRaw {
          raw = value
          rawBytes = bytes
          return
        }
      }
      // The list of dumps repeats their files.
      if path.split(separator: "/").contains("dump_names") { return }
      others.append((name(path) ?? "file-\(others.count + 1)", bytes))
    }

    /// When the collector received it, or when it crashed.
    var time: Timestamp? {
      if let time = raw?.time("submitted_timestamp") { return time }
      if let time = processedValue?.time("submitted_timestamp") { return time }
      if let time = processedValue?.time("date_processed") { return time }
      guard let seconds = raw?.text("CrashTime").flatMap({ Int64($0) }), seconds > 0,
        seconds < 1 << 40
      else { return nil }
      return Timestamp(seconds: seconds)
    }

    /// The name that a path gives a file: in `ID.upload_file_minidump_browser.dump` the part between, in
    /// `memory_report/ID` the folder.
    private func name(_ path: String) -> String? {
      let parts = path.split { $0 == "/" || $0 == "!" }.map(String.init)
      guard let index = parts.lastIndex(where: { $0.lowercased().hasPrefix(id) }) else {
        return parts.last
      }
      if index + 1 < parts.count, let last = parts.last, !last.lowercased().hasPrefix(id) {
        return last
      }
      let rest = parts[index].dropFirst(id.count).split(separator: ".").map(String.init)
      if let name = rest.first { return name }
      return index > 0 ? parts[index - 1] : nil
    }
  }
}

/// The form in which a client would have sent a dump with its annotations.
struct SocorroForm {
  let bytes: ByteView

  /// Bytes of an annotation that are kept.
  private static let valueBytes = 64 << 10

  /// - Parameter annotations: A raw or processed crash; its texts and numbers are taken.
  init(id: String, annotations: JSONValue, dump: ByteView) {
    // No dump has the boundary in it: ids are random.
    let boundary = "mayday-\(id)"
    var form: [UInt8] = []
    func add(_ text: String) { form += Array(text.utf8) }
    var seen: Set<String> = []
    for member in annotations.object ?? [] {
      guard let text = member.value.text, text.utf8.count <= Self.valueBytes,
        Self.isName(member.key), seen.insert(member.key).inserted, !text.contains(boundary)
      else { continue }
      add("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(member.key)\"\r\n\r\n")
      add(text)
      add("\r\n")
    }
    if seen.insert("crash_id").inserted {
      add("--\(boundary)\r\nContent-Disposition: form-data; name=\"crash_id\"\r\n\r\n\(id)\r\n")
    }
    add(
      "--\(boundary)\r\nContent-Disposition: form-data; name=\"upload_file_minidump\"; "
        + "filename=\"\(id).dmp\"\r\nContent-Type: application/octet-stream\r\n\r\n")
    form += dump.array
    add("\r\n--\(boundary)--\r\n")
    bytes = ByteView(form)
  }

  private static func isName(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.count <= 256
      && key.utf8.allSatisfy { (0x21...0x7e).contains($0) && $0 != UInt8(ascii: "\"") }
  }
}
