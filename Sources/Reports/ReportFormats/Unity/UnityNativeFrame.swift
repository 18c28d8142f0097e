internal import Bytes
internal import CrashModel
internal import Identifiers

/// A native frame as Unity prints it.
enum UnityNativeFrame {
  /// `0x00007FFE12345678 (UnityPlayer) UnityMain`, `#0  0x00007f5a3853e050 in funlockfile`.
  static func read(
    _ line: RawSpan, _ images: inout [String: Int], _ report: inout CrashReport
  ) -> Frame? {
    var line = line
    var index = 0
    if line.has("#") {
      index = 1
      guard line.decimal(at: &index) != nil else { return nil }
      line = line.from(index).trimmed
      index = 0
    }
    guard let address = line.hexadecimal(at: &index) else { return nil }
    var frame = Frame(address: Address(address), position: .returnAddress)
    var rest = line.from(index).trimmed
    if rest.has("in ") {
      rest = rest.from(3)
    } else if rest.has("("), let close = rest.find(") ") {
      let module = rest.part(1..<close).name
      rest = rest.from(close + 2)
      if module != "Mono JIT Code", !module.isEmpty {
        if images[module] == nil, report.images.count < FormatLimits.images {
          images[module] = report.images.count
          report.images.append(LoadedImage(name: module))
        }
        frame.image = images[module]
      }
    }
    if rest.has("["), let close = rest.find("] ") {
      let location = SourceLocation(rest.part(1..<close))
      frame.file = location.file
      frame.line = location.line
      rest = rest.from(close + 2)
    }
    if rest.byteCount > 0, !rest.has("(function-name not available)") { frame.function = rest.name }
    return frame
  }
}
