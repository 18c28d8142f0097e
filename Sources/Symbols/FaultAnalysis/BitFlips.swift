internal import CrashModel
internal import Identifiers

/// Addresses that a broken bit may have turned into the one that failed.
///
/// The rules and numbers are those of rust-minidump, `minidump-processor/src/process_state.rs`, so that figures
/// can be compared.
struct BitFlips {
  private static let most = 16
  private static let nearby: UInt64 = 1 << 12
  private static let low: UInt64 = 1 << 13
  private static let poison: Set<UInt8> = [
    0x2b, 0x2d, 0x2f, 0x49, 0x4b, 0x4d, 0x4f, 0x6b, 0x8b, 0x9b, 0x9f, 0xa5, 0xbb, 0xcc, 0xcd, 0xce,
    0xdb, 0xe5,
  ]

  let space: ProcessSpace
  let registers: RegisterValues

  /// - Parameters:
  ///   - values: The address that failed, without a register, and the registers that formed it.
  ///   - isNonCanonical: Whether the address cannot be one.
  func candidates(
    _ values: [(register: String?, value: UInt64)], isNonCanonical: Bool
  ) -> [Fault.BitFlip] {
    guard space.is64Bit else { return [] }
    var flips: [Fault.BitFlip] = []
    let hasPoison = registers.addresses.contains { _, value in
      value == (value & 0xff) &* 0x0101_0101_0101_0101
        && Self.poison.contains(UInt8(truncatingIfNeeded: value))
    }
    for (register, value) in values {
      // A value that is valid has no broken bit.
      if value == 0 || space.isCanonical(value) && space.isPresent(value) { continue }
      for bit in 0..<64 as Range<UInt64> {
        let address = value ^ 1 << bit
        guard
          address == 0
            || address >= space.nullEnd && space.isCanonical(address)
              && space.isPresent(address)
        else { continue }
        flips.append(
          flip(
            to: address, from: value, register, isNonCanonical: isNonCanonical,
            hasPoison: hasPoison))
      }
    }
    flips.sort { ($1.confidence, $0.address) < ($0.confidence, $1.address) }
    return Array(flips.prefix(Self.most))
  }

  private func flip(
    to address: UInt64, from value: UInt64, _ register: String?, isNonCanonical: Bool,
    hasPoison: Bool
  ) -> Fault.BitFlip {
    let isNull = address == 0
    let wasLow = isNull && value <= Self.low
    let near =
      address > Self.low
      ? registers.addresses.count { _, other in
        max(other, address) - min(other, address) <= Self.nearby
      } : 0
    var doubt = 0.75
    if isNonCanonical { doubt *= 0.1 }
    if isNull { doubt *= 1 - (wasLow ? 0.25 : 0.5) }
    if near > 0 { doubt *= 1 - (0.5 + 0.05 * Double(min(near, 4) - 1)) }
    let confidence = (1 - doubt) * (hasPoison ? 0.5 : 1)
    return Fault.BitFlip(
      address: Address(address), register: register,
      confidence: (confidence * 1000).rounded() / 1000, wasNonCanonical: isNonCanonical,
      isNull: isNull, wasLow: wasLow, nearbyRegisters: near, hasPoison: hasPoison)
  }
}
