internal import Bytes
internal import CrashModel
internal import Identifiers
internal import JSON

extension AppleIPSParser {
  mutating func readImages(_ reader: inout JSONReader) throws(ParseError) {
    guard try reader.beginArray() else { return }
    let isSecond = hasImages
    hasImages = true
    while try reader.nextElement() {
      if isSecond { continue }
      guard imageIndices.count < AppleLimits.images else {
        reach(AppleLimits.images, of: "images")
        continue
      }
      guard try reader.beginObject() else {
        imageIndices.append(nil)
        continue
      }
      let image = try Self.readImage(&reader)
      // Addresses outside all images are assigned to an image of size 0 at address 0, a placeholder. One
      // without an address comes from truncation.
      let isPlaceholder =
        image.base?.value == 0 && (image.size ?? 0) == 0 && image.debugID == nil
        && image.path == nil
      imageIndices.append(isPlaceholder ? nil : report.images.count)
      if !isPlaceholder { report.images.append(image) }
    }
  }

  private static func readImage(_ reader: inout JSONReader) throws(ParseError) -> LoadedImage {
    var image = LoadedImage(name: "")
    var build: String?
    while try reader.nextKey() {
      if reader.keyIs("uuid") {
        if let text = try reader.readText(), image.debugID == nil {
          image.debugID = DebugID(digits: reader.bytes(of: text))
        }
      } else if reader.keyIs("base") {
        if let base = try reader.readAddress() { keepFirst(&image.base, Address(base)) }
      } else if reader.keyIs("size") {
        keepFirst(&image.size, try reader.readUInt64())
      } else if reader.keyIs("path") {
        keepFirst(&image.path, try reader.readString())
      } else if reader.keyIs("name") {
        if let name = try reader.readString(), image.name.isEmpty { image.name = name }
      } else if reader.keyIs("arch") {
        if let arch = try reader.readString() { keepFirst(&image.architecture, Architecture(arch)) }
      } else if reader.keyIs("CFBundleShortVersionString") {
        keepFirst(&image.version, try reader.readString())
      } else if reader.keyIs("CFBundleVersion") {
        keepFirst(&build, try reader.readString())
      }
    }
    if image.name.isEmpty { image.name = image.path.map { AppleNames.lastPart($0) } ?? "???" }
    if image.version == nil { image.version = build }
    return image
  }

  /// Gives the frames their images and addresses.
  mutating func joinFramesAndImages() {
    var lost = 0
    let images = report.images
    let indices = imageIndices
    func join(_ frames: inout [Frame]) {
      for at in frames.indices {
        guard let index = frames[at].image else {
          // An offset without an image is an address.
          if let offset = frames[at].imageOffset, hasImages {
            frames[at].address = Address(offset.value)
            frames[at].imageOffset = nil
          }
          continue
        }
        guard indices.indices.contains(index) else {
          lost += 1
          frames[at].image = nil
          continue
        }
        guard let image = indices[index] else {
          frames[at].image = nil
          if let offset = frames[at].imageOffset { frames[at].address = Address(offset.value) }
          frames[at].imageOffset = nil
          continue
        }
        frames[at].image = image
        if let base = images[image].base, let offset = frames[at].imageOffset {
          frames[at].address = Address(base.value &+ offset.value)
        }
      }
    }
    for thread in report.threads.indices { join(&report.threads[thread].frames) }
    join(&exceptionStack)
    if lost > 0 {
      report.notes.append(
        hasImages
          ? "\(lost) \(lost == 1 ? "frame names an image" : "frames name images") that the report"
            + " does not list."
          : "The list of images is missing; frames have only their offsets.")
    }
  }
}

extension DebugID {
  /// Thirty-two hexadecimal digits with dashes anywhere; `nil` for anything else and for all zeros, which
  /// mean no id.
  init?(digits bytes: RawSpan) {
    guard bytes.byteCount >= 32, bytes.byteCount <= 48 else { return nil }
    var uuid: [UInt8] = []
    uuid.reserveCapacity(16)
    var high: UInt8?
    var isZero = true
    for index in 0..<bytes.byteCount {
      let byte = bytes.byte(index)
      if byte == UInt8(ascii: "-") { continue }
      guard let digit = byte.hexadecimalDigit else { return nil }
      if digit != 0 { isZero = false }
      if let first = high {
        uuid.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    guard uuid.count == 16, high == nil, !isZero else { return nil }
    self.init(uuid: uuid)
  }
}
