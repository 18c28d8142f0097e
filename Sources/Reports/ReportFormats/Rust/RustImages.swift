internal import Bytes
internal import CrashModel
internal import Identifiers

/// The backtrace of a Rust program on Fuchsia, whose markup names the images:
///
///      [[[ELF module #0x1 "libfdio.so" BuildID=e795d657eb8d3c19 0x206fd6a73000]]]
///         #0.3  0x00002113208e3bff in NAME FILE:93 <>+0xb8bff
enum RustImages {
  static func take(_ line: RawSpan, into report: inout CrashReport, _ stack: inout RustFrames) {
    if line.has("[[[ELF module #") {
      readImage(line, into: &report)
    } else if line.has("#") {
      readFrame(line, of: report, into: &stack)
    }
  }

  private static func readImage(_ line: RawSpan, into report: inout CrashReport) {
    guard report.images.count < FormatLimits.images, let open = line.find(UInt8(ascii: "\"")),
      let close = line.find(UInt8(ascii: "\""), from: open + 1)
    else { return }
    let name = line.between(open + 1, close).name
    var image = LoadedImage(name: name.isEmpty ? "<>" : name)
    if let mark = line.find("BuildID=") {
      let rest = line.from(mark + 8)
      image.codeID = CodeID(rest.upTo(rest.find(32) ?? rest.byteCount).name)
      image.debugID = image.codeID.map { DebugID(buildID: $0.bytes) }
      if var base = rest.find("0x") { image.base = rest.hexadecimal(at: &base).map(Address.init) }
    }
    report.images.append(image)
  }

  private static func readFrame(
    _ line: RawSpan, of report: CrashReport, into stack: inout RustFrames
  ) {
    var position = 1
    guard line.decimal(at: &position) != nil else { return }
    let isInlined = line.byteOrZero(position) == UInt8(ascii: ".")
    if isInlined {
      position += 1
      guard line.decimal(at: &position) != nil else { return }
    }
    position = line.skippingBlanks(from: position)
    guard let address = line.hexadecimal(at: &position) else { return }
    var frame = Frame(address: Address(address), position: .returnAddress, inlined: isInlined)
    guard line.has(" in ", at: position) else { return stack.append(frame) }
    var rest = line.from(position + 3)
    if let module = rest.findLast(" <"), let offset = rest.find(">+0x", from: module) {
      var digits = offset + 2
      frame.imageOffset = rest.hexadecimal(at: &digits).map { ImageOffset($0) }
      let name = rest.between(module + 2, offset).name
      frame.image = report.images.firstIndex { $0.name == (name.isEmpty ? "<>" : name) }
      if frame.image == nil { frame.imageOffset = nil }
      rest = rest.upTo(module)
    }
    rest = rest.trimmed
    // The location is the last word, if it ends with a line.
    if let blank = rest.findLast(32), SourceLocation(rest.from(blank + 1)).hasNumber {
      let location = SourceLocation(rest.from(blank + 1))
      frame.file = location.file
      frame.line = location.line
      rest = rest.upTo(blank)
    }
    if rest.byteCount > 0 { frame.function = rest.name }
    stack.append(frame)
  }
}
