internal import CrashModel
internal import Identifiers

/// The addresses at which Apple's 64-bit systems map the shared cache of their libraries. No code of an app
/// is loaded there.
///
/// Source: SHARED_REGION_BASE and SHARED_REGION_SIZE of ARM64 and X86_64 in osfmk/mach/shared_region.h of
/// XNU; caches of macOS 11 and later begin at 0x7ff8_0000_0000 on x86_64.
enum AppleSharedCache {
  private static let regions: [Range<UInt64>] = [
    0x1_8000_0000..<0x2_8000_0000,
    0x7ff8_0000_0000..<0x7fff_ffe0_0000,
  ]

  /// Whether the report is of a program on one of Apple's systems.
  static func mayBe(in report: CrashReport) -> Bool {
    switch report.os.name {
    case "iOS", "iPadOS", "macOS", "tvOS", "watchOS", "visionOS", "bridgeOS": true
    case nil: report.format == .appleCrash || report.format == .appleIPS
    default: false
    }
  }

  static func contains(_ address: Address) -> Bool {
    regions.contains { $0.contains(address.value) }
  }
}

extension [CrashThread] {
  /// An address in the image, of the first frame that has one.
  func address(inImage index: Int) -> Address? {
    for thread in self {
      for frame in thread.frames where frame.image == index {
        if let address = frame.address { return address }
      }
    }
    return nil
  }
}
