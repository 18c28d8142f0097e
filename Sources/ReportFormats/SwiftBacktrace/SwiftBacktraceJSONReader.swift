internal import Bytes
internal import CrashModel
internal import JSON

/// What `swift-backtrace` prints with `format=json` (Swift 6.2 and later): one object, alone in a
/// file or after what the program printed on the same stream.
///
/// The text of a fatal error and the signal's number are not in it; they stand in the lines before.
///
/// Source: outputs of Swift 6.3, and the description of the format in its documentation.
struct SwiftBacktraceJSONReader {
  /// The report of `section`, whose headline is the line with the object's `kind`; `nil` when the
  /// object is none after all. `end` is where the object ends.
  static func report(
    of section: ReportSection, in text: ByteView
  ) -> (report: CrashReport, end: Int)? {
    guard let start = startOfObject(before: section.headline, in: text.bytes) else { return nil }
    let parse: JSONParse
    do throws(ParseError) {
      parse = try JSONDocument.parse(text.clamped(start..<text.count))
    } catch {
      var report = CrashReport(format: .swiftBacktraceJSON)
      report.notes.append("the JSON could not be read: \(error)")
      return (report, section.headline.line.upperBound)
    }
    guard parse.value["kind"]?.string == "crashReport" else { return nil }
    let words = SwiftCrashWords(before: section, in: text.bytes)
    var report = read(parse.value, words)
    if let cut = parse.cut {
      report.notes.append("the report is cut off after \(start + cut) bytes")
    }
    return (report, start + parse.end)
  }

  /// The brace before the `kind` of the object. The members before it are not known to hold another
  /// object; where they do, it begins at a line.
  private static func startOfObject(before headline: Headline, in text: RawSpan) -> Int? {
    let limit = max(0, headline.start - FormatLimits.preludeBytes)
    var index = headline.start + 1
    while index > limit {
      index -= 1
      if text.byte(index) == UInt8(ascii: "{") { return index }
    }
    return nil
  }

  private static func read(_ json: JSONValue, _ words: SwiftCrashWords) -> CrashReport {
    var report = CrashReport(format: .swiftBacktraceJSON)
    report.time = json["timestamp"]?.string.flatMap { Timestamp($0) }
    if let name = json["architecture"]?.string { report.device.architecture = Architecture(name) }
    if let platform = json["platform"]?.string {
      report.os = SwiftPlatform.system(ByteView(platform.utf8).bytes)
    }
    let isDarwin = report.os.name.map { $0 != "Linux" && $0 != "Windows" } ?? false
    report.reason = words.reason(
      description: json["description"]?.string ?? "crash",
      faultAddress: json["faultAddress"]?.address, isDarwin: isDarwin)
    var listed: [LoadedImage] = []
    for entry in (json["images"]?.array ?? []).prefix(FormatLimits.images) {
      listed.append(image(entry, of: report.device.architecture, isDarwin: isDarwin))
    }
    var images = SwiftImages(listed)
    var dropped = 0
    let threads = json["threads"]?.array ?? []
    for (index, entry) in threads.prefix(FormatLimits.stacks).enumerated() {
      var thread = CrashThread(
        index: index, name: entry["name"]?.string, crashed: entry["crashed"]?.bool ?? false)
      for member in (entry["registers"]?.object ?? []).prefix(FormatLimits.registers) {
        if let value = member.value.address {
          thread.registers.append(Register(member.key, value))
        }
      }
      let frames = entry["frames"]?.array ?? []
      dropped += max(0, frames.count - FormatLimits.framesPerStack)
      for frame in frames.prefix(FormatLimits.framesPerStack) {
        if let frame = self.frame(frame, &images) { thread.frames.append(frame) }
      }
      if thread.crashed, report.crashedThread == nil { report.crashedThread = index }
      report.threads.append(thread)
    }
    if dropped > 0 {
      report.notes.append(
        "\(dropped) frames beyond the limit of \(FormatLimits.framesPerStack) a stack were left out"
      )
    }
    if threads.isEmpty { report.notes.append("the report has no thread") }
    report.images = images.images
    let program = images.program(threadName: report.threads.first?.name)
    report.process.name = program.name
    report.process.path = program.path
    report.app.name = program.name
    return report
  }

  private static func image(
    _ json: JSONValue, of architecture: Architecture?, isDarwin: Bool
  ) -> LoadedImage {
    let path = json["path"]?.string
    var image = LoadedImage(
      name: json["name"]?.string ?? path ?? "", path: path, architecture: architecture)
    if let code = json["buildId"]?.string.flatMap({ CodeID($0) }) {
      image.codeID = code
      image.debugID = isDarwin ? DebugID(uuid: code.bytes) : DebugID(buildID: code.bytes)
    }
    if let base = json["baseAddress"]?.address {
      image.base = Address(base)
      if let end = json["endOfText"]?.address, end >= base { image.size = end - base }
    }
    return image
  }

  /// A frame; `nil` for what only stands for frames that were left out.
  private static func frame(_ json: JSONValue, _ images: inout SwiftImages) -> Frame? {
    guard let address = json["address"]?.address else { return nil }
    var frame = Frame(address: Address(address), position: position(json["kind"]?.string))
    frame.inlined = json["inlined"]?.bool ?? false
    let offset = json["offset"]?.unsigned
    if let symbol = json["symbol"]?.string {
      if SwiftFrameLine.isMangled(symbol) { frame.symbol = symbol } else { frame.function = symbol }
      if !frame.inlined { frame.symbolOffset = offset }
    }
    if var name = json["description"]?.string {
      if let offset, name.hasSuffix(" + \(offset)") {
        name.removeLast(String(offset).utf8.count + 3)
      }
      frame.function = name
      if let symbol = json["symbol"]?.string, symbol != name { frame.symbol = symbol }
    }
    if let place = json["sourceLocation"], let file = place["file"]?.string,
      !file.hasSuffix("<compiler-generated>")
    {
      frame.file = file
      frame.line = place["line"]?.integer.flatMap { $0 > 0 ? $0 : nil }
      frame.column =
        frame.line == nil ? nil : place["column"]?.integer.flatMap { $0 > 0 ? $0 : nil }
    }
    frame.image = images.index(named: json["image"]?.string, at: address)
    if let image = frame.image {
      frame.imageOffset = images.images[image].offset(of: Address(address))
    }
    return frame
  }

  /// What the address of a frame of this kind points at.
  private static func position(_ kind: String?) -> CodePosition {
    switch kind {
    case "returnAddress", "returnAddressInAsync", "ra": .returnAddress
    // programCounter, programCounterInAsync, asyncResumePoint and what else there may be.
    default: .exact
    }
  }
}
