internal import Bytes
internal import CrashModel
internal import Identifiers

/// The images of a Swift backtrace, by name and by address.
struct SwiftImages {
  private(set) var images: [LoadedImage]
  private var byName: [String: [Int]] = [:]
  /// The index that was found last.
  private var last: Int?
  /// The indices of the images with a base, sorted by it.
  private let byBase: [(base: UInt64, index: Int)]

  init(_ listed: [LoadedImage]) {
    images = listed
    for (index, image) in listed.enumerated() { byName[image.name, default: []].append(index) }
    byBase = listed.indices.compactMap { index in
      listed[index].base.map { (base: $0.value, index: index) }
    }.sorted { ($0.base, $0.index) < ($1.base, $1.index) }
  }

  /// The image of a frame, which the report calls `name`, if given.
  mutating func index(named name: String?, at address: UInt64?) -> Int? {
    guard let name, !name.isEmpty else { return address.flatMap(index(at:)) }
    // Neighbours on a stack are mostly in one image.
    if let last, images[last].name == name, let address,
      images[last].offset(of: Address(address)) != nil
    {
      return last
    }
    last = find(name, at: address)
    return last
  }

  private mutating func find(_ name: String, at address: UInt64?) -> Int? {
    if let known = byName[name] {
      guard known.count > 1, let address else { return known.first }
      if let index = index(at: address), images[index].name == name { return index }
      return known.first
    }
    guard images.count < FormatLimits.images else { return nil }
    images.append(LoadedImage(name: name))
    byName[name] = [images.count - 1]
    return images.count - 1
  }

  private func index(at address: UInt64) -> Int? {
    let low = byBase.lowerBound { $0.base <= address }
    guard low > 0 else { return nil }
    let index = byBase[low - 1].index
    return images[index].offset(of: Address(address)) == nil ? nil : index
  }

  /// The name and path of the program: the first image that is not a library, preferably the one that the
  /// main thread is named after; if the report lists none, the name of the main thread.
  func program(threadName: String?) -> (name: String?, path: String?) {
    let programs = images.filter { !$0.isLibrary }
    let threadName = threadName.flatMap { $0.isEmpty ? nil : $0 }
    let named = programs.first { image in
      image.name == threadName
        || threadName.map { $0.utf8.count == Self.nameLimit && image.name.hasPrefix($0) } ?? false
    }
    guard let program = named ?? programs.first else {
      return (threadName.flatMap(Self.uncut), nil)
    }
    return (program.name, program.path)
  }

  /// The bytes of a program's name by which Linux names its main thread: `TASK_COMM_LEN`.
  private static let nameLimit = 15

  /// `name` unless bytes of it may be missing: `shop-swift` of `shop-swift-debu`, `nil` of
  /// `shop-warehouse-`, which is the beginning of many names.
  private static func uncut(_ name: String) -> String? {
    guard name.utf8.count >= nameLimit else { return name }
    for configuration in ["-debug", "-release"] {
      for length in stride(from: configuration.count, through: 4, by: -1)
      where name.hasSuffix(configuration.prefix(length)) { return String(name.dropLast(length)) }
    }
    return nil
  }
}
