internal import CrashModel
internal import Identifiers

/// The addresses of a process, as far as its dump names them, holds their bytes or has images there.
struct ProcessSpace {
  let memory: ProcessMemory
  let images: [LoadedImage]
  let isARM: Bool
  let isWindows: Bool

  var is64Bit: Bool { memory.addressSize == 8 }

  /// Addresses below are those of a null pointer and an offset.
  var nullEnd: UInt64 { isWindows ? 0x1_0000 : 0x1000 }

  /// Whether memory can be at the address: the upper bits repeat the one below them.
  func isCanonical(_ address: UInt64) -> Bool {
    guard is64Bit else { return true }
    // Arm's processors leave the uppermost byte to programs.
    let address = isARM ? address & 0x00ff_ffff_ffff_ffff : address
    let top = address >> 47
    return top == 0 || top == (isARM ? 0x1ff : 0x1_ffff) || isARM && top == 1
  }

  /// Whether only the system's kernel may have memory there.
  func isKernel(_ address: UInt64) -> Bool {
    is64Bit ? address >> 63 == 1 && isCanonical(address) : false
  }

  enum Presence {
    case present(MemoryMapping.Protection?)
    case guarded
    case absent
    case unknown
  }

  func presence(_ address: UInt64) -> Presence {
    if let mapping = memory.mapping(at: address) {
      switch mapping.state {
      case .guarded: return .guarded
      case .reserved, .free: return .absent
      case .mapped: return mapping.protection.isEmpty ? .guarded : .present(mapping.protection)
      }
    }
    if memory.hasAllMappings { return .absent }
    if memory.region(at: address) != nil { return .present(nil) }
    return .unknown
  }

  /// The image that holds an address.
  func image(at address: UInt64) -> LoadedImage? {
    images.first { image in
      guard let base = image.base?.value, let size = image.size else { return false }
      return address >= base && address - base < size
    }
  }

  /// Whether an address may be used so, as far as is known.
  func allows(_ kind: Fault.Access.Kind, at address: UInt64) -> Bool {
    switch presence(address) {
    case .present(let protection?):
      switch kind {
      case .read: protection.contains(.read)
      case .write, .update: protection.contains(.write)
      case .execute: protection.contains(.execute)
      }
    case .present(nil): true
    case .guarded, .absent: false
    case .unknown: image(at: address) != nil
    }
  }

  /// Whether code can be at an address, as far as is known.
  func mayBeCode(_ address: UInt64) -> Bool {
    guard address >= nullEnd, isCanonical(address) else { return false }
    switch presence(address) {
    case .present(let protection?): return protection.contains(.execute)
    case .guarded, .absent: return false
    case .present(nil), .unknown: return images.isEmpty || image(at: address) != nil
    }
  }

  /// Whether memory is there that may be used in some way.
  func isPresent(_ address: UInt64) -> Bool {
    switch presence(address) {
    case .present: true
    case .guarded, .absent: false
    case .unknown: image(at: address) != nil
    }
  }

  /// The name of the file or of the memory at an address.
  func name(at address: UInt64) -> String? {
    memory.mapping(at: address)?.name ?? image(at: address)?.name
  }
}
