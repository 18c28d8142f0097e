internal import Bytes
internal import CrashModel

/// A line of a stack:
///
///     V  [libjvm.so+0xed2f94]  Unsafe_PutLong(JNIEnv_*, long)+0x124  (unsafe.cpp:123)
///     C  [libc.so.6+0x3bd4c]  abort+0x12
///     C  0x00007f11cbec3480
///     j  jdk.internal.misc.Unsafe.putLong(Ljava/lang/Object;JJ)V+0 java.base@17.0.15
///     J 3210% c2 com.example.Tern.charge(I)V com.example (40 bytes) @ 0x00007f12 [0x00007f10+0x2]
///     v  ~StubRoutines::call_stub
///
/// `V` is the machine itself, `C` other native code, `j` interpreted and `J` compiled Java, `A` Java that was
/// compiled ahead, `v` code that the machine makes.
struct HotSpotFrame {
  var frame: Frame
  /// The file of a native frame.
  private(set) var module: String?
  let isJava: Bool

  init?(_ line: RawSpan) {
    let kind = line.byteOrZero(0)
    guard line.byteOrZero(1) == 32, line.byteCount > 3 else { return nil }
    let position = line.skippingBlanks(from: 1)
    let rest = line.from(position)
    switch kind {
    case UInt8(ascii: "V"), UInt8(ascii: "C"):
      isJava = false
      frame = Frame(position: .returnAddress)
      guard readNative(rest) else { return nil }
    case UInt8(ascii: "j"):
      isJava = true
      // A stack that was damaged has addresses in place of names.
      frame = Frame(position: .returnAddress, function: Self.method(rest))
    case UInt8(ascii: "J"), UInt8(ascii: "A"):
      isJava = true
      frame = Frame(position: .returnAddress)
      readCompiled(rest)
    case UInt8(ascii: "v"):
      isJava = true
      frame = Frame(position: .returnAddress, function: Self.stub(rest), inApp: false)
    default: return nil
    }
  }

  /// `[libjvm.so+0xed2f94]  NAME+0x124  (FILE:LINE)`, or an address.
  private mutating func readNative(_ text: RawSpan) -> Bool {
    guard text.has("[") else {
      var digits = 0
      guard let address = text.hexadecimal(at: &digits) else { return false }
      frame.address = Address(address)
      return true
    }
    guard let close = text.find(UInt8(ascii: "]")) else { return false }
    let place = text.between(1, close)
    if let plus = place.findLast("+0x") {
      module = place.upTo(plus).name
      var digits = plus + 1
      frame.imageOffset = place.hexadecimal(at: &digits).map { ImageOffset($0) }
    } else {
      module = place.name
    }
    var name = text.from(close + 1).trimmed
    if name.ends(with: ")"), let open = name.findLast("  (") ?? name.findLast(" ("),
      let dot = name.find(UInt8(ascii: "."), from: open)
    {
      let location = SourceLocation(name.between(open, name.byteCount - 1).trimmed.from(1))
      if location.hasNumber, dot > open {
        frame.file = location.file
        frame.line = location.line
        name = name.upTo(open).trimmed
      }
    }
    if let plus = name.findLast("+0x"), plus > 0 {
      var digits = plus + 1
      frame.symbolOffset = name.hexadecimal(at: &digits)
      frame.function = name.upTo(plus).name
    } else if name.byteCount > 0 {
      frame.function = name.name
    }
    return true
  }

  /// `3210% c2 com.example.Tern.charge(I)V (40 bytes) @ 0x00007f12 [0x00007f10+0x2]`
  private mutating func readCompiled(_ text: RawSpan) {
    if let at = text.find(" @ 0x") {
      var digits = at + 3
      frame.address = text.hexadecimal(at: &digits).map { Address($0) }
    }
    guard let open = text.find(UInt8(ascii: "(")) else {
      frame.function = text.name
      return
    }
    let head = text.upTo(open)
    let start = (head.findLast(32) ?? -1) + 1
    frame.function = Self.method(text.from(start))
  }

  /// The name before the signature: `com.example.Tern.charge(I)V+778`.
  private static func method(_ text: RawSpan) -> String {
    let end = text.find(UInt8(ascii: "(")) ?? text.find(32) ?? text.byteCount
    return text.upTo(end).name
  }

  /// `~StubRoutines::call_stub`, followed by an address since JDK 18.
  private static func stub(_ text: RawSpan) -> String {
    text.upTo(text.find(" 0x") ?? text.find(" (") ?? text.byteCount).name
  }
}
