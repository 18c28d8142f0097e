internal import Bytes
internal import CrashModel
internal import Identifiers

/// Gives the frames of a text report their images.
///
/// The address decides if an image covers it; otherwise the name on the line, which may be the image's or its
/// bundle's. An image that only frames name is added, so that the frame keeps its module: reports are
/// truncated, and some leave the list out.
struct AppleImageJoiner {
  private(set) var images: [LoadedImage]
  /// Whether an image was left out because of the limit.
  private(set) var isFull = false
  /// The names that frames give their images.
  private let frameNames: [String]
  private let reportedNames: [String]
  /// The first image of each name, built when a frame's address is in no image.
  private lazy var indices = Self.indices(images, reportedNames)
  private var added: [String: Int] = [:]
  /// Images with an address, by that address.
  private let order: [(base: UInt64, index: Int)]

  /// - Parameter reportedNames: The report's name of each image, or nothing.
  init(images: [LoadedImage], reportedNames: [String], frameNames: [String]) {
    self.images = images
    self.reportedNames = reportedNames
    self.frameNames = frameNames
    order = images.indices
      .compactMap { index in images[index].base.map { ($0.value, index) } }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
  }

  private static func indices(
    _ images: [LoadedImage], _ reportedNames: [String]
  ) -> [String: Int] {
    var indices: [String: Int] = [:]
    for (index, image) in images.enumerated() where indices[image.name] == nil {
      indices[image.name] = index
    }
    for (index, name) in reportedNames.enumerated() where !name.isEmpty && indices[name] == nil {
      indices[name] = index
    }
    return indices
  }

  mutating func join(_ frames: [AppleTextFrame]) -> [Frame] {
    var result: [Frame] = []
    result.reserveCapacity(frames.count)
    for frame in frames { result.append(join(frame)) }
    return result
  }

  private mutating func join(_ source: AppleTextFrame) -> Frame {
    var frame = source.frame
    guard var address = frame.address else {
      if let name = source.imageName { frame.image = image(named: frameNames[name], load: nil) }
      if let index = frame.image, let base = images[index].base, let offset = frame.imageOffset {
        frame.address = Address(base.value &+ offset.value)
      }
      return frame
    }
    if let found = signed(address.value) {
      address = Address(found.address)
      frame.address = address
      frame.image = found.image
    } else if let index = covering(address.value) {
      frame.image = index
    } else if let name = source.imageName {
      frame.image = image(named: frameNames[name], load: source.loadAddress)
    }
    guard let index = frame.image, let base = images[index].base, address >= base else {
      frame.imageOffset = nil
      return frame
    }
    let offset = address.value - base.value
    // If only the name matched, the address may be anywhere.
    let isInside = images[index].size.map { offset < $0 } ?? true
    frame.imageOffset = isInside ? ImageOffset(offset) : nil
    if isInside, let function = frame.function {
      frame.function = Self.withoutOffset(function, offset)
    }
    return frame
  }

  /// `name+ 54988 ()` without the frame's offset in the image, which some tools write before the first
  /// parenthesis when they add symbols.
  private static func withoutOffset(_ function: String, _ offset: UInt64) -> String {
    // Nearly all names have no such sign beyond the first byte.
    guard function.utf8.dropFirst().contains(UInt8(ascii: "+")),
      let plus = function.firstRange(of: "+ \(offset) "), plus.lowerBound > function.startIndex
    else { return function }
    return String(function[..<plus.lowerBound] + function[plus.upperBound...])
  }

  /// The image that covers `address`, of those whose size is known.
  private func covering(_ address: UInt64) -> Int? {
    let low = order.lowerBound { $0.base <= address }
    // Images do not overlap; one without a size may be in between.
    var at = low - 1
    while at >= 0, low - at <= 4 {
      let index = order[at].index
      if let size = images[index].size { return address - order[at].base < size ? index : nil }
      at -= 1
    }
    return nil
  }

  /// The address without the bits that sign a pointer of arm64e, if an image holds it only then: some
  /// reporters print return addresses as they are on the stack.
  private func signed(_ address: UInt64) -> (address: UInt64, image: Int)? {
    guard address >> 47 != 0, address >> 47 != (1 << 17) - 1, covering(address) == nil else {
      return nil
    }
    for mask in AppleAddressMap.masks {
      if let image = covering(address & mask) { return (address & mask, image) }
    }
    return nil
  }

  private mutating func image(named name: String, load: UInt64?) -> Int? {
    if let index = indices[name] { return index }
    if let index = added[name] {
      if images[index].base == nil, let load, load > 0 { images[index].base = Address(load) }
      return index
    }
    guard images.count < AppleLimits.images else {
      isFull = true
      return nil
    }
    var image = LoadedImage(name: name)
    if let load, load > 0 { image.base = Address(load) }
    added[name] = images.count
    images.append(image)
    return images.count - 1
  }
}
