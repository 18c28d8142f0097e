internal import Bytes
internal import Identifiers
internal import ObjectFormats
internal import UnwindRules

/// Unwind rules from any bytes, and as files.
enum UnwindBytes {
  private static let callFrameTargets = [
    UnwindTarget(architecture: .x86_64), UnwindTarget(architecture: .arm64),
    UnwindTarget(architecture: .i386, addressSize: 4),
    UnwindTarget(architecture: .ppc64, endianness: .big),
  ]
  private static let compactTargets = [
    UnwindTarget(architecture: .x86_64), UnwindTarget(architecture: .arm64),
    UnwindTarget(architecture: .i386, addressSize: 4),
  ]
  private static let stackHead = Array(
    "MODULE Linux x86_64 000000000000000000000000000000000 a\n".utf8)

  /// Compiles `bytes` with an entry's reader, and looks around in the result.
  static func compile(_ bytes: ByteView, _ entry: FuzzEntry) {
    guard bytes.count > 3 else { return }
    let choice = Int(bytes[0])
    let rest = bytes.clamped(1..<bytes.count)
    let part: UnwindPart
    var target = callFrameTargets[choice % 4]
    switch entry {
    case .cfi: part = .callFrames(rest, isEHFrame: choice & 4 == 0)
    case .compactUnwind:
      target = compactTargets[choice % 3]
      part = .compact(rest, code: rest)
    case .peUnwind:
      let size = Int(bytes[1]) << 8 | Int(bytes[2])
      let image = bytes.clamped(3..<bytes.count)
      if choice % 3 < 2 {
        target = compactTargets[choice % 3]
        part = .functionTable(image.clamped(0..<size), image: image)
      } else {
        target = UnwindTarget(architecture: .armv7, addressSize: 4)
        part = .exceptionIndex(0..<UInt32(size), image: image)
      }
    default:
      target = compactTargets[choice % 3]
      part = .stackLines(rest)
    }
    guard let compiled = try? UnwindRules.compile(part, for: target) else { return }
    guard let rules = try? UnwindRules(opening: compiled), (try? rules.verify()) != nil else {
      fatalError("a file of ours cannot be opened")
    }
    precondition(compiled.count <= 2 << 20 + 64 * bytes.count, "a file without end")
    lookAround(rules, isOurs: true)
  }

  static func open(_ bytes: ByteView) {
    guard let rules = try? UnwindRules(opening: bytes, checksSum: false) else { return }
    lookAround(rules, isOurs: false)
  }

  /// - Parameter isOurs: Whether the file must be valid.
  private static func lookAround(_ rules: UnwindRules, isOurs: Bool) {
    var last: UInt32 = 0
    var count = 0
    rules.forEachRow { range, row in
      if isOurs {
        precondition(range.lowerBound >= last, "rows out of order")
        for offset in [range.lowerBound, range.upperBound - 1] {
          let found = rules.lookUp(offset)
          precondition(found.map { $0.cfa == row.cfa && $0.ruleCount == row.ruleCount } == true)
        }
      }
      last = range.upperBound
      if case .expression(let expression) = row.cfa { _ = rules.text(of: expression) }
      for index in 0..<row.ruleCount {
        let (_, rule) = rules.rule(index, of: row)
        if case .expression(let expression) = rule { _ = rules.text(of: expression) }
      }
      _ = rules.parameterBytes(of: row)
      count += 1
      return count < 256
    }
    for offset in stride(from: UInt32(0), to: 0xff00_0000, by: 0x1ff_ffff) {
      _ = rules.lookUp(offset)
    }
    _ = rules.notes
  }

  // MARK: Seeds

  static func seeds(of bytes: ByteView, for entry: FuzzEntry) -> [[UInt8]] {
    let objects = (try? ObjectFile.objects(in: bytes)) ?? []
    switch entry {
    case .cfi:
      return objects.flatMap { object in
        contents(of: "eh_frame", in: object).map { [0] + $0 }
          + contents(of: "debug_frame", in: object).map { [4] + $0 }
      }
    case .compactUnwind:
      return objects.flatMap { object in
        contents(of: "unwind_info", in: object).map { section in
          [object.architecture == .arm64 ? 1 : object.architecture == .i386 ? 2 : 0] + section
        }
      }
    case .peUnwind: return [packedFunctions, indexedFunctions]
    case .stackRecords:
      let text = stackHead + Array(bytes.clamped(0..<(64 << 10)).array)
      return bytes.starts(with: "MODULE ".utf8) ? [[0] + text, [2] + text] : [[2] + stackLines]
    case .unwindFile: return objects.compactMap { try? UnwindRules.compile($0).array }
    default: return []
    }
  }

  private static func contents(of name: String, in object: ObjectFile) -> [[UInt8]] {
    guard let section = object.section(named: name), section.hasContents,
      let bytes = try? object.contents(of: section)
    else { return [] }
    return [bytes.array]
  }

  /// Two functions of 64-bit Arm: a packed one and one with unwind codes.
  private static let packedFunctions: [UInt8] =
    [1, 0, 16] + [0, 0x10, 0, 0, 0xed, 0x01, 0x61, 0x41] + [0, 0x20, 0, 0, 0x10, 0, 0, 0]
    + [0x3d, 0, 0x40, 0x10, 0x38, 0, 0, 1, 0xe1, 0x91, 0x22, 0xe4, 0xe1, 0x91, 0x22, 0xe4]

  /// Three functions of 32-bit Arm: two with unwind codes, the second of which are elsewhere.
  private static let indexedFunctions: [UInt8] =
    [2, 0, 24] + [0, 0x10, 0, 0, 0xb0, 0xaf, 0x02, 0x80] + [0xf8, 0x10, 0, 0, 0x0c, 0, 0, 0]
    + [0xf0, 0x11, 0, 0, 1, 0, 0, 0] + [0x80, 0xb2, 1, 0x81, 0xb0, 8, 0xb1, 1]

  private static let stackLines = Array(
    """
    STACK CFI INIT 1000 20 .cfa: $esp 4 + .ra: .cfa 4 - ^
    STACK CFI 1001 .cfa: $esp 8 + $ebp: .cfa 8 - ^
    STACK WIN 4 2000 20 1 0 8 4 c 0 1 $T0 .raSearch = $eip $T0 ^ = $esp $T0 4 + = $20 $T0 16 - ^ =
    STACK WIN 0 3000 20 1 0 8 4 c 0 0 1

    """.utf8)
}
