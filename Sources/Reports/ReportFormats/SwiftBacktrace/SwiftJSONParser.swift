internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

/// Parses a Swift backtrace from its object.
///
/// Frames name images that come later, so they are joined in ``finished(_:)``. Only the first of repeated
/// members counts.
struct SwiftJSONParser {
  /// A frame and the name of its image.
  private struct NamedFrame {
    var frame: Frame
    var image: String?
  }

  private(set) var kind: String?
  private var report = CrashReport(format: .swiftBacktraceJSON)
  private var description: String?
  private var faultAddress: UInt64?
  private var frames: [[NamedFrame]] = []
  private var images: [LoadedImage] = []
  private var droppedFrames = 0

  mutating func read(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      if reader.keyIs("kind") {
        keepFirst(&kind, try reader.readString())
      } else if reader.keyIs("timestamp") {
        keepFirst(&report.time, try reader.readString().flatMap { Timestamp($0) })
      } else if reader.keyIs("description") {
        keepFirst(&description, try reader.readString())
      } else if reader.keyIs("faultAddress") {
        keepFirst(&faultAddress, try reader.readAddress())
      } else if reader.keyIs("architecture") {
        keepFirst(&report.device.architecture, try reader.readString().map { Architecture($0) })
      } else if reader.keyIs("platform") {
        if let platform = try reader.readString() {
          report.os = SwiftPlatform.system(ByteView(platform.utf8).bytes)
        }
      } else if reader.keyIs("threads") {
        try readThreads(&reader)
      } else if reader.keyIs("images") {
        guard try reader.beginArray() else { continue }
        while try reader.nextElement() {
          if images.count < FormatLimits.images { try readImage(&reader) }
        }
      }
    }
  }

  private mutating func readThreads(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginArray() else { return }
    while try reader.nextElement() {
      guard report.threads.count < FormatLimits.stacks else { continue }
      report.threads.append(CrashThread(index: report.threads.count))
      frames.append([])
      try readThread(&reader, report.threads.count - 1)
    }
  }

  /// Reads into the thread at `index`, so that the part before a truncation is kept.
  private mutating func readThread(
    _ reader: inout JSONReader, _ index: Int
  ) throws(ParseError) {
    guard try reader.beginObject() else { return }
    while try reader.nextKey() {
      if reader.keyIs("name") {
        keepFirst(&report.threads[index].name, try reader.readString())
      } else if reader.keyIs("crashed") {
        if try reader.readBool() == true { report.threads[index].crashed = true }
      } else if reader.keyIs("registers") {
        guard try reader.beginObject() else { continue }
        while try reader.nextKey() {
          let name = reader.key
          guard let value = try reader.readAddress(),
            report.threads[index].registers.count < FormatLimits.registers
          else { continue }
          report.threads[index].registers.append(Register(name, value))
        }
      } else if reader.keyIs("frames") {
        guard try reader.beginArray() else { continue }
        while try reader.nextElement() {
          guard frames[index].count < FormatLimits.framesPerStack else {
            droppedFrames += 1
            continue
          }
          if let frame = try Self.readFrame(&reader) { frames[index].append(frame) }
        }
      }
    }
  }

  /// A frame; `nil` for a placeholder of omitted frames.
  private static func readFrame(
    _ reader: inout JSONReader
  ) throws(ParseError) -> NamedFrame? {
    var address: UInt64?
    var offset: UInt64?
    var symbol: String?
    var name: String?
    var image: String?
    var location = (file: String?.none, line: Int?.none, column: Int?.none)
    // programCounter, programCounterInAsync, asyncResumePoint and any others.
    var frame = Frame(position: .exact)
    guard try reader.beginObject() else { return nil }
    while try reader.nextKey() {
      if reader.keyIs("kind") {
        guard let kind = try reader.readString() else { continue }
        if ["returnAddress", "returnAddressInAsync", "ra"].contains(kind) {
          frame.position = .returnAddress
        }
      } else if reader.keyIs("address") {
        keepFirst(&address, try reader.readAddress())
      } else if reader.keyIs("inlined") {
        if try reader.readBool() == true { frame.inlined = true }
      } else if reader.keyIs("symbol") {
        keepFirst(&symbol, try reader.readString())
      } else if reader.keyIs("offset") {
        keepFirst(&offset, try reader.readUInt64())
      } else if reader.keyIs("description") {
        keepFirst(&name, try reader.readString())
      } else if reader.keyIs("image") {
        keepFirst(&image, try reader.readString())
      } else if reader.keyIs("sourceLocation") {
        guard try reader.beginObject() else { continue }
        while try reader.nextKey() {
          if reader.keyIs("file") {
            keepFirst(&location.file, try reader.readString())
          } else if reader.keyIs("line") {
            keepFirst(&location.line, try reader.readInt())
          } else if reader.keyIs("column") {
            keepFirst(&location.column, try reader.readInt())
          }
        }
      }
    }
    guard let address else { return nil }
    frame.address = Address(address)
    frame.setName(symbol: symbol, description: name, offset: offset)
    if let file = location.file, !file.hasSuffix("<compiler-generated>") {
      frame.file = file
      frame.line = location.line.flatMap { $0 > 0 ? $0 : nil }
      frame.column = frame.line == nil ? nil : location.column.flatMap { $0 > 0 ? $0 : nil }
    }
    return NamedFrame(frame: frame, image: image)
  }

  private mutating func readImage(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginObject() else { return }
    var image = LoadedImage(name: "")
    var name: String?
    var end: UInt64?
    while try reader.nextKey() {
      if reader.keyIs("name") {
        keepFirst(&name, try reader.readString())
      } else if reader.keyIs("path") {
        keepFirst(&image.path, try reader.readString())
      } else if reader.keyIs("buildId") {
        keepFirst(&image.codeID, try reader.readString().flatMap { CodeID($0) })
      } else if reader.keyIs("baseAddress") {
        keepFirst(&image.base, try reader.readAddress().map { Address($0) })
      } else if reader.keyIs("endOfText") {
        keepFirst(&end, try reader.readAddress())
      }
    }
    image.name = name ?? image.path ?? ""
    if let base = image.base?.value, let end, end >= base { image.size = end - base }
    images.append(image)
  }

  /// The report, its parts joined. `words` is the message in the lines before it.
  consuming func finished(_ words: SwiftCrashMessage) -> CrashReport {
    let isDarwin = report.os.name.map { $0 != "Linux" && $0 != "Windows" } ?? false
    report.reason = words.reason(
      description: description ?? "crash", faultAddress: faultAddress, isDarwin: isDarwin)
    for index in images.indices {
      images[index].architecture = report.device.architecture
      guard let code = images[index].codeID else { continue }
      images[index].debugID = isDarwin ? DebugID(uuid: code.bytes) : DebugID(buildID: code.bytes)
    }
    var table = SwiftImages(images)
    for index in report.threads.indices {
      report.threads[index].frames = frames[index].map { named in
        var frame = named.frame
        frame.image = table.index(named: named.image, at: frame.address?.value)
        if let image = frame.image, let address = frame.address {
          frame.imageOffset = table.images[image].offset(of: address)
        }
        return frame
      }
    }
    report.crashedThread = report.threads.firstIndex { $0.crashed }
    if droppedFrames > 0 {
      report.notes.append(
        "\(droppedFrames) frames beyond the limit of \(FormatLimits.framesPerStack) a stack were left"
          + " out")
    }
    if report.threads.isEmpty { report.notes.append("the report has no thread") }
    report.images = table.images
    let program = table.program(threadName: report.threads.first?.name)
    report.process.name = program.name
    report.process.path = program.path
    report.app.name = program.name
    return report
  }
}

extension Frame {
  /// Sets the linker's name and the readable one, which ends with the offset.
  fileprivate mutating func setName(
    symbol linkerName: String?, description: String?, offset: UInt64?
  ) {
    if let linkerName {
      if SwiftFrameLine.isMangled(linkerName) { symbol = linkerName } else { function = linkerName }
      if !inlined { symbolOffset = offset }
    }
    guard var name = description else { return }
    if let offset, name.hasSuffix(" + \(offset)") {
      name.removeLast(String(offset).utf8.count + 3)
    }
    function = name
    if let linkerName, linkerName != name { symbol = linkerName }
  }
}
