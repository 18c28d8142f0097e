/// Builds sections of call frame information.
struct CallFrameBytes {
  var bytes: [UInt8] = []
  var isEHFrame = true
  var isBigEndian = false
  var is64Bit = false
  var addressSize = 8
  private var common = 0

  init() {}

  func number(_ value: UInt64, _ size: Int) -> [UInt8] {
    let little = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    return isBigEndian ? little.reversed() : little
  }

  private mutating func add(id: UInt64, _ contents: [UInt8]) {
    let idSize = is64Bit && !isEHFrame ? 8 : 4
    let length = UInt64(idSize + contents.count)
    bytes += is64Bit ? [0xff, 0xff, 0xff, 0xff] + number(length, 8) : number(length, 4)
    bytes += number(id, idSize) + contents
  }

  /// A common entry: code alignment 1, data alignment -8, return address 16 unless given.
  mutating func addCommon(
    version: UInt8 = 1, augmentation: String = "zR", data: [UInt8] = [0], codeAlignment: UInt8 = 1,
    dataAlignment: UInt8 = 0x78, returnAddress: UInt8 = 16,
    _ program: [UInt8] = [0x0c, 7, 8, 0x90, 1]
  ) {
    common = bytes.count
    var contents: [UInt8] = [version] + Array(augmentation.utf8) + [0]
    if version == 4 { contents += [UInt8(addressSize), 0] }
    if augmentation.hasPrefix("eh") { contents += number(0, addressSize) }
    contents += [codeAlignment, dataAlignment, returnAddress]
    if augmentation.hasPrefix("z") { contents += [UInt8(data.count)] + data }
    add(id: isEHFrame ? 0 : is64Bit ? .max : 0xffff_ffff, contents + program)
  }

  /// A function by plain addresses, unless given otherwise.
  mutating func addFunction(
    _ start: UInt64, size: UInt64, hasAugmentation: Bool = true, encoded: [UInt8]? = nil,
    _ program: [UInt8] = []
  ) {
    let idPlace = bytes.count + (is64Bit ? 12 : 4)
    let place = encoded ?? number(start, addressSize) + number(size, addressSize)
    add(
      id: UInt64(isEHFrame ? idPlace - common : common),
      place + (hasAugmentation ? [0] : []) + program)
  }
}
