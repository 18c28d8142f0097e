internal import Bytes

/// The stack in the link that Bun prints when it crashes:
///
///     https://bun.report/1.3.11/M_1a2743b6mgkgEuhooC_u3z6pBu3z6pBu4xza+rnoV__A2km73lb1r6yzvC
///
/// The version is followed by one character each for the system, the command and the form of the rest (`1`, or
/// `2` in builds that were not released), seven of the commit, two numbers of features, the calls, youngest
/// first, a 0, and the reason. A number is a VLQ in Base64, as in source maps, of 32 bits. A call is its offset
/// in Bun, `_` if it is in no image, `=` if it is JavaScript, or 1, the length of an image's name, that name and
/// the offset there. Offsets point into the call, not past it.
///
/// Source: `encodeTraceString` and `StackLine` in `src/crash_handler.zig` of Bun, `lib/parser.ts` of bun.report.
struct BunTrace {
  /// Whether a call is in Bun itself, in another image or in none.
  enum CodeOwner: Equatable {
    case bun
    case image(String)
    case script
    case unknown
  }

  private(set) var calls: [(owner: CodeOwner, offset: UInt64)] = []
  private(set) var version: String
  private(set) var commit: String

  /// - Parameter link: From `https://bun.report/` on.
  /// - Returns: `nil` if it is cut off, or in a form that is not known.
  init?(_ link: RawSpan) {
    guard let host = link.find("bun.report/") else { return nil }
    let path = link.from(host + 11)
    guard let slash = path.find(UInt8(ascii: "/")), path.byteCount > slash + 11,
      path.byte(slash + 3).isOne(of: "12")
    else { return nil }
    version = path.upTo(slash).name
    commit = path.between(slash + 4, slash + 11).name
    var index = slash + 11
    guard Self.number(path, at: &index) != nil, Self.number(path, at: &index) != nil else {
      return nil
    }
    var budget = StackBudget()
    while true {
      switch path.byteOrZero(index) {
      case UInt8(ascii: "_"):
        calls.append((.unknown, 0))
        index += 1
      case UInt8(ascii: "="):
        calls.append((.script, 0))
        index += 1
      default:
        guard var offset = Self.number(path, at: &index) else { return nil }
        if offset == 0 { return }
        var owner = CodeOwner.bun
        if offset == 1 {
          guard let length = Self.number(path, at: &index), length > 0,
            length <= path.byteCount - index
          else { return nil }
          owner = .image(path.between(index, index + length).name)
          index += length
          guard let inImage = Self.number(path, at: &index) else { return nil }
          offset = inImage
        }
        guard offset >= 0 else { return nil }
        calls.append((owner, UInt64(offset)))
      }
      guard budget.takeFrame() else { return nil }
    }
  }

  /// A number of up to 32 bits, of which the lowest is the sign.
  private static func number(_ text: RawSpan, at index: inout Int) -> Int? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while shift <= 30 {
      let digit: UInt8
      switch text.byteOrZero(index) {
      case let byte where byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z"): digit = byte - 65
      case let byte where byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z"): digit = byte - 71
      case let byte where byte.isDigit: digit = byte + 4
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      default: return nil
      }
      index += 1
      value |= UInt64(digit & 31) << shift
      if digit & 32 == 0 {
        let amount = Int(value >> 1)
        return value & 1 == 1 ? -amount : amount
      }
      shift += 5
    }
    return nil
  }
}
