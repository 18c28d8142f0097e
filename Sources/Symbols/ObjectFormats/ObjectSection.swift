/// How the bytes of a section are stored in its file.
public enum SectionCompression: Hashable, Sendable {
  case none
  /// `SHF_COMPRESSED` with `ELFCOMPRESS_ZLIB`.
  case zlib
  /// `SHF_COMPRESSED` with `ELFCOMPRESS_ZSTD`.
  case zstd
  /// The form before `SHF_COMPRESSED`: `ZLIB`, the size in big-endian, a zlib stream.
  case gnuZlib
  /// `SHF_COMPRESSED` with another number, or without a whole header (then 0).
  case unknown(UInt32)
}

/// One section of an object file.
public struct ObjectSection: Hashable, Sendable {
  /// The name as it is in the file: `.debug_info`, `.zdebug_info`, `__debug_info`.
  public let name: String
  /// The segment that a Mach-O section belongs to: `__DWARF`.
  public let segment: String?
  /// The linked address; 0 where the section is not loaded.
  public let address: UInt64
  /// The length of its contents in bytes, as announced; after decompression.
  public let size: UInt64
  /// Where its bytes lie, from the start of the object.
  public let fileOffset: UInt64
  /// How many bytes it takes in the file; 0 for a section without contents (`SHT_NOBITS`, zero
  /// fill, or code left out of a separate debug file).
  public let fileSize: UInt64
  /// Whether instructions are loaded from it.
  public let isExecutable: Bool
  public let compression: SectionCompression
  /// Whether a file of this size cannot hold what the section and the compressed ones before it
  /// announce.
  private(set) var isBeyondBelief = false

  /// Whether a Mach-O section holds debug information.
  var isDWARF: Bool { segment == "__DWARF" }

  /// Whether the file holds bytes of this section.
  public var hasContents: Bool { fileSize > 0 }

  /// The sections of a file, with those marked that announce more than is believed: see
  /// ``ObjectLimits/unpackedRatio``. One that lies takes nothing from those after it.
  static func believed(_ sections: [ObjectSection], fileBytes: Int) -> [ObjectSection] {
    let (reach, isBeyond) = fileBytes.multipliedReportingOverflow(by: ObjectLimits.unpackedRatio)
    let (limit, isAbove) = reach.addingReportingOverflow(ObjectLimits.unpackedSlack)
    var left = isBeyond || isAbove ? UInt64.max : UInt64(limit)
    return sections.map { section in
      guard section.compression != .none, section.hasContents else { return section }
      var section = section
      section.isBeyondBelief = section.size > left
      if !section.isBeyondBelief { left -= section.size }
      return section
    }
  }
}
