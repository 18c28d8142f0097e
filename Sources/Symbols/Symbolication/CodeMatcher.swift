internal import Bytes
internal import CrashModel
internal import Identifiers
internal import ObjectFormats

/// Whether the addresses of a report can lie in the code of an object file.
///
/// A file that was found by its name alone may belong to another build, whose functions lie
/// elsewhere. Two things give that away: an address outside the code, and a return address that
/// does not follow a call. A single such address proves nothing, see ``CodeEvidence``.
struct CodeMatcher {
  private let object: ObjectFile
  /// Executable sections whose bytes the file has, in the order of their addresses.
  private let code: [(range: Range<UInt64>, bytes: ByteView)]

  init(_ object: ObjectFile) {
    self.object = object
    var code: [(range: Range<UInt64>, bytes: ByteView)] = []
    // Functions before linking have no addresses yet.
    for section in object.sections
    where section.isExecutable && section.hasContents && object.kind != .relocatable {
      let (end, overflow) = section.address.addingReportingOverflow(section.size)
      // A section that cannot be read shows nothing about the build.
      guard !overflow, let bytes = try? object.contents(of: section) else { continue }
      code.append((section.address..<end, bytes))
    }
    self.code = code.sorted { $0.range.lowerBound < $1.range.lowerBound }
  }

  /// Whether the code is here and calls can be told from other instructions.
  var knowsCalls: Bool { !code.isEmpty && CallInstruction(object.architecture) != nil }

  /// How well the code fits the addresses of a report, each of which counts once.
  ///
  /// - Parameter addresses: From the image's load address, as the report gives them.
  func evidence(of addresses: some Sequence<ImageAddress>) -> CodeEvidence {
    var evidence = CodeEvidence()
    for address in addresses { evidence.add(contradiction(at: address.offset, address.position)) }
    return evidence
  }

  /// Why the code does not fit a frame, in words; `nil` where it does, or where the file cannot
  /// tell.
  ///
  /// - Parameter offset: From the image's load address, as the report gives it.
  private func contradiction(at offset: ImageOffset, _ position: CodePosition) -> String? {
    let address = object.imageBase &+ position.lookUp(offset).value
    let ranges = object.executableRanges
    if !ranges.isEmpty, !ranges.contains(where: { $0.contains(address) }) {
      return "\(offset) is outside its code"
    }
    guard position != .exact, let section = code.first(where: { $0.range.contains(address) }),
      let calls = CallInstruction(object.architecture),
      !calls.covers(Int(clamping: address - section.range.lowerBound), in: section.bytes)
    else { return nil }
    return position == .returnAddress
      ? "\(offset) does not follow a call in its code" : "\(offset) is not a call in its code"
  }
}

/// How an architecture encodes a call, as far as it can be recognised by the bytes before the
/// return address.
private struct CallInstruction {
  private enum Encoding { case x86, arm64 }

  private let encoding: Encoding

  /// - Returns: `nil` for an architecture whose calls are not known here.
  init?(_ architecture: Architecture) {
    switch architecture.description {
    case "x86_64", "i386", "x86": encoding = .x86
    case let name where name.hasPrefix("arm64") || name == "aarch64": encoding = .arm64
    default: return nil
    }
  }

  /// Whether a call may cover the byte at `offset`.
  func covers(_ offset: Int, in code: ByteView) -> Bool {
    switch encoding {
    case .arm64: isARM64Call(at: offset & ~3, in: code)
    case .x86:
      // The longest call that is not prefixed has seven bytes.
      (1...7).contains { distance in
        callLengths(endingAt: offset + distance, in: code).contains { $0 >= distance }
      }
    }
  }

  /// `BL`, `BLR`, and `BLRAA` to `BLRABZ`.
  ///
  /// Source: Arm Architecture Reference Manual, C4.1, "Branches".
  private func isARM64Call(at offset: Int, in code: ByteView) -> Bool {
    guard offset >= 0, offset <= code.count - 4 else { return false }
    let bytes = (0..<4).map { UInt32(code[offset + $0]) << (8 * UInt32($0)) }
    let word = bytes.reduce(0, |)
    return word & 0xfc00_0000 == 0x9400_0000 || word & 0xffff_fc1f == 0xd63f_0000
      || word & 0xfeff_f800 == 0xd63f_0800
  }

  /// The lengths of the calls that the bytes before `end` may be: `E8` with a displacement of four
  /// bytes, or `FF /2` with a ModRM byte and what that asks for.
  ///
  /// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, "CALL" and
  /// 2.1.5.
  private func callLengths(endingAt end: Int, in code: ByteView) -> [Int] {
    guard end <= code.count else { return [] }
    func byte(_ back: Int) -> UInt8? { end - back >= 0 ? code[end - back] : nil }
    var lengths: [Int] = []
    if byte(5) == 0xe8 { lengths.append(5) }
    for length in 2...7 {
      guard byte(length) == 0xff, let form = byte(length - 1), form >> 3 & 7 == 2 else { continue }
      let (mode, register) = (form >> 6, form & 7)
      let base = length > 2 ? byte(length - 2).map { $0 & 7 } : nil
      let needed =
        switch (mode, register) {
        case (3, _): 2
        case (0, 4): base == 5 ? 7 : 3
        case (0, 5): 6
        case (0, _): 2
        case (1, 4): 4
        case (1, _): 3
        case (_, 4): 7
        default: 6
        }
      if needed == length { lengths.append(length) }
    }
    return lengths
  }
}
