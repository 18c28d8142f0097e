internal import Bytes
internal import CrashModel
internal import JSON

/// One report of the collection.
struct LabelledReport {
  let id: String
  let source: String
  let group: String
  let app: String
  /// The name of its build; a report without one counts as the only one of its build.
  let build: String
  let report: CrashReport
  let frames: Int

  init?(_ line: ByteView) {
    guard let value = try? JSONDocument.parse(line).value, let id = value["id"]?.string,
      let source = value["source"]?.string
    else { return nil }
    self.id = id
    self.source = source
    group = value["group"]?.string ?? ""
    app = source + (value["project"]?.string.map { ":" + $0 } ?? "")
    build = value["version"]?.string ?? "\u{0}\(id)"
    var images: [LoadedImage] = []
    let frames = Self.frames(value["frames"], &images)
    self.frames = frames.count
    let type = value["reason"]?["type"]?.string
    let message = value["reason"]?["message"]?.string
    var report = CrashReport(
      format: source == "ossfuzz" ? .sanitizer : ReportFormat("collection"))
    if value["platform"]?.string == "java" {
      let causes = (value["causes"]?.array ?? []).map {
        LanguageException(
          type: $0["type"]?.string, message: $0["message"]?.string,
          frames: Self.frames($0["frames"], &images))
      }
      // Each is the cause of the one before it.
      let chain = causes.reversed().reduce(into: [LanguageException]()) { chain, cause in
        var cause = cause
        cause.inner = chain
        chain = [cause]
      }
      report.reason.exception = LanguageException(
        type: type, message: message, frames: frames, inner: chain)
    } else if source == "ossfuzz" {
      report.reason.type = type
    } else {
      report.reason.signal = type
      report.reason.message = message
    }
    report.images = images
    report.threads = [CrashThread(index: 0, crashed: true, frames: frames)]
    report.crashedThread = 0
    self.report = report
  }

  private static func frames(_ value: JSONValue?, _ images: inout [LoadedImage]) -> [Frame] {
    (value?.array ?? []).map { frame in
      var image: Int?
      if let path = frame["module"]?.string {
        image = images.firstIndex { $0.path == path }
        if image == nil {
          image = images.count
          images.append(
            LoadedImage(name: path.split(separator: "/").last.map(String.init) ?? path, path: path))
        }
      }
      return Frame(
        position: .adjusted, image: image, function: frame["function"]?.string,
        file: frame["file"]?.string, line: frame["line"]?.integer)
    }
  }
}
