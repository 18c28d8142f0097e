internal import Instructions

/// Decodes instructions from standard input, an address and bytes in hexadecimal per line: prints length,
/// text and the memory that they access by an operand, separated by tabs. `scripts/oracles/decode-oracle.py`
/// compares them.
enum DecodeList {
  static func run(_ set: InstructionSet) {
    while let line = readLine() {
      let parts = line.split(separator: " ")
      guard parts.count == 2, let address = UInt64(parts[0], radix: 16),
        let instruction = set.decode(bytes(parts[1]), at: address)
      else {
        print("0\t?\t")
        continue
      }
      let accesses = instruction.accesses.filter(\.isExplicit).map {
        "\($0.kind.rawValue):\($0.size.map(String.init) ?? "?"):\($0.operand.text)"
      }
      print(
        "\(instruction.length)\t\(instruction.text ?? "-")\t" + accesses.joined(separator: " "))
    }
  }

  private static func bytes(_ text: Substring) -> [UInt8] {
    let digits = text.utf8.map { UInt8($0 < 0x40 ? $0 & 15 : ($0 & 15) + 9) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
