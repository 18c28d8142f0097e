internal import Bytes

/// A stack as Apple's `+[NSThread callStackSymbols]` prints it, a call a line, the youngest first.
///
///     (
///         0   Tern         0x0000000104a381c8 $s4Tern6BasketC5totalSiyF + 16
///         1   Tern         0x0000000104a38e90 Tern + 20112
///         2   UIKitCore    0x00000001a4f2e0cc -[UIApplication sendAction:to:from:forEvent:] + 96
///     )
///
/// This is the description of the call stack. As a plain array of strings, each line is in quotation marks,
/// ends with a comma, and escapes special characters `\"`, `\\`, `\n` and `\U00e9`. If a program is stripped,
/// the image's own name, or the symbol of its header, replaces the function; the number after it is then the
/// distance from the image's load address.
///
/// Source: MSACExceptionModel.m of App Center's SDK for Apple; the descriptions of `NSArray` and of its class
/// for call stacks; `backtrace_symbols(3)`.
struct AppleCallStackText {
  struct Call {
    /// `nil` for `???`.
    var image: String?
    var address: UInt64
    /// The distance from the image's load address, where the line gives it.
    var imageOffset: UInt64?
    var function: String?
    var functionOffset: UInt64?
  }

  private(set) var calls: [Call] = []
  /// Whether calls were left out beyond the limit.
  private(set) var isCut = false

  /// - Complexity: O(n) in the text.
  init(_ text: String, limit: Int) {
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      guard line.count <= FormatLimits.nameBytes, let call = Self.call(Substring(line)) else {
        continue
      }
      guard calls.count < limit else {
        isCut = true
        return
      }
      calls.append(call)
    }
  }

  /// The call of a line; `nil` for any other line.
  private static func call(_ line: Substring) -> Call? {
    let line = line.trimmed
    guard let first = line.utf8.first else { return nil }
    if first == UInt8(ascii: "\"") { return parse(unquoted(line)) }
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return nil }
    return parse(String(line))
  }

  private static func parse(_ line: String) -> Call? {
    let bytes = ByteView(line.utf8)
    let span = bytes.bytes
    guard let parsed = AppleFrameLine(span), !parsed.image.isEmpty, let address = parsed.address
    else { return nil }
    let image = span.part(parsed.image).text
    var call = Call(
      image: image == "???" ? nil : image, address: address, imageOffset: parsed.imageOffset)
    // A load address of 0 is invalid.
    if parsed.loadAddress == 0 { call.imageOffset = nil }
    if let symbol = parsed.symbol {
      let name = span.part(symbol).text
      if isHeader(name) {
        call.imageOffset = call.imageOffset ?? parsed.symbolOffset
      } else {
        call.function = name
        call.functionOffset = parsed.symbolOffset
      }
    }
    return call
  }

  /// The linker's symbols for the start of an image: `_mh_execute_header`, `_mh_dylib_header`.
  private static func isHeader(_ name: String) -> Bool {
    name.hasSuffix("_header") && (name.hasPrefix("_mh_") || name.hasPrefix("__mh_"))
  }

  /// The text between the quotation marks of `"..."` or `"...",`.
  private static func unquoted(_ line: Substring) -> String {
    var bytes = line.utf8.dropFirst()
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    while let byte = bytes.popFirst() {
      if byte == UInt8(ascii: "\"") { break }
      guard byte == UInt8(ascii: "\\"), let mark = bytes.popFirst() else {
        result.append(byte)
        continue
      }
      switch mark {
      case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "r"): result.append(UInt8(ascii: " "))
      case UInt8(ascii: "U"):
        let digits = bytes.prefix(4)
        if digits.count == 4, let value = UInt32(String(Substring(digits)), radix: 16),
          let scalar = Unicode.Scalar(value)
        {
          result.append(contentsOf: String(Character(scalar)).utf8)
          bytes = bytes.dropFirst(4)
        }
      default: result.append(mark)
      }
    }
    return String(decoding: result, as: UTF8.self).trimmedText
  }
}

extension String {
  /// The text without blanks at its ends.
  fileprivate var trimmedText: String { String(self[...].trimmed) }
}
