internal import Bytes
internal import CrashModel

/// A form with a minidump and the annotations of its sender, as Crashpad and Breakpad send it and as old
/// versions of Electron stored it in place of the dump.
///
/// Sources: Crashpad, `handler/crash_report_upload_thread.cc`; Breakpad, `src/common/linux/http_upload.cc`.
enum MinidumpForm {
  static func recognises(_ bytes: ByteView) -> Bool {
    guard MultipartForm.recognises(bytes), let form = MultipartForm(bytes) else { return false }
    return form.parts.contains { dump(of: $0) != nil }
  }

  /// The reports of its dumps, with its annotations.
  static func reports(in bytes: ByteView) throws(ParseError) -> [CrashReport] {
    guard let form = MultipartForm(bytes) else {
      throw ParseError(.notRecognised, in: "a form without a boundary", at: 0)
    }
    let fields = fields(of: form.parts)
    var reports: [CrashReport] = []
    for dump in form.parts.compactMap({ dump(of: $0) }) {
      var report = try MinidumpParser.report(of: dump)
      annotate(&report, with: fields)
      report.tags[.lastWords] = lastWords(in: form.parts)
      report.notes += form.notes
      reports.append(report)
    }
    return reports
  }

  /// The minidump in a part, or in a form inside it, as Electron sent.
  private static func dump(of part: MultipartForm.Part) -> ByteView? {
    if MinidumpFile.recognises(part.bytes) { return part.bytes }
    guard MultipartForm.recognises(part.bytes), let inner = MultipartForm(part.bytes) else {
      return nil
    }
    return inner.parts.lazy.map(\.bytes).first(where: MinidumpFile.recognises)
  }

  /// The fields, those of an inner form too.
  private static func fields(of parts: [MultipartForm.Part]) -> [MultipartForm.Part] {
    var fields = parts.filter { $0.fileName == nil }
    for part in parts where MultipartForm.recognises(part.bytes) {
      fields += MultipartForm(part.bytes)?.parts.filter { $0.fileName == nil } ?? []
    }
    return fields
  }

  /// The end of the process's standard error, if the sender added it as a file.
  private static func lastWords(in parts: [MultipartForm.Part]) -> String? {
    guard let part = parts.lazy.compactMap(\.lastWords).first else { return nil }
    let lines = part.bytes.text.split(whereSeparator: \.isNewline)
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  private static func annotate(_ report: inout CrashReport, with fields: [MultipartForm.Part]) {
    var names: Set<String> = []
    for field in fields where !field.name.isEmpty && names.insert(field.name).inserted {
      let text = field.bytes.clamped(0..<MultipartForm.Limits.field).text
      if field.name == "list_annotations" {
        if report.reason.message == nil, !text.isEmpty { report.reason.message = text.cutMessage }
      } else {
        report.properties[field.name.cut(FormatLimits.nameBytes)] = text
      }
    }
    report.app.takeAnnotations(report.properties)
    if report.install == nil { report.install = report.properties["guid"] }
  }
}
