internal import Bytes
internal import CrashModel

extension Frame {
  /// A Java frame as ART prints it: `at com.acme.Tern.pay(Tern.kt:12)`, `at java.lang.Object.wait(Native
  /// method)`; `nil` for any other line.
  ///
  /// Source: `StackDumpVisitor` in `runtime/thread.cc` of ART.
  init?(art text: RawSpan) {
    guard text.has("at "), let open = text.findLast(UInt8(ascii: "(")), open > 3,
      text.byte(text.byteCount - 1) == UInt8(ascii: ")")
    else { return nil }
    var name = text.part(3..<open).trimmed
    // Android 4 marks methods that were inlined or native.
    if name.ends(with: "!") { name = name.upTo(name.byteCount - 1) }
    guard name.byteCount > 0, name.find(32) == nil else { return nil }
    self.init(position: .returnAddress, function: name.name)
    let inside = text.part(open + 1..<text.byteCount - 1)
    if inside.has("Native ") || inside.has("unavailable") || inside.has("Unknown Source") { return }
    let location = SourceLocation(inside)
    file = location.file
    line = location.line
  }
}
