internal import Bytes
internal import CrashModel
internal import Identifiers

/// Finds the images of addresses, in reports of Apple's systems that give nothing else.
struct AppleAddressMap {
  private let images: [LoadedImage]
  /// Images with an address, by that address.
  private let order: [(base: UInt64, index: Int)]
  /// The bits of an address that pointers of arm64e do not use to sign it, widest first.
  static let masks: [UInt64] = [(1 << 47) - 1, (1 << 39) - 1, (1 << 36) - 1]

  init(_ images: [LoadedImage]) {
    self.images = images
    order = images.indices
      .compactMap { index in images[index].base.map { ($0.value, index) } }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }

  /// The image that holds `address`.
  func image(at address: UInt64) -> Int? {
    let after = order.lowerBound { $0.base <= address }
    guard after > 0 else { return nil }
    let index = order[after - 1].index
    guard let size = images[index].size else { return nil }
    return address - order[after - 1].base < size ? index : nil
  }

  /// The image whose load address is `base`.
  func image(loadedAt base: UInt64) -> Int? {
    let after = order.lowerBound { $0.base < base }
    guard after < order.count, order[after].base == base else { return nil }
    return order[after].index
  }

  /// A frame at `address`, with its image. Bits that sign the address are removed if an image holds it only
  /// then.
  func frame(at address: UInt64, position: CodePosition) -> Frame {
    var frame = Frame(address: Address(address), position: position)
    for mask in [UInt64.max] + Self.masks {
      // The address after the last call of an image belongs to the call.
      let looked = position.lookUp(Address(address & mask)).value
      guard let index = image(at: looked), let base = images[index].base else { continue }
      frame.address = Address(address & mask)
      frame.image = index
      frame.imageOffset = ImageOffset((address & mask) &- base.value)
      return frame
    }
    return frame
  }
}

extension Frame {
  /// Uses the name of the symbol that an SDK found for the frame, if it is near enough to be the function's:
  /// SDKs name the last symbol before an address, exported or not.
  ///
  /// - Parameters:
  ///   - name: Without the underscore that Mach-O puts before names of C.
  ///   - start: Where the symbol begins.
  mutating func takeSymbol(_ name: String, start: UInt64) {
    guard !name.isEmpty, name != "<redacted>", let address, address.value >= start,
      address.value - start < 1 << 24
    else { return }
    symbolOffset = address.value - start
    if SwiftFrameLine.isMangled(name) { symbol = name } else { function = name }
  }
}
