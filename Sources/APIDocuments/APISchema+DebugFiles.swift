internal import CrashService

extension APISchema {
  /// What `mayday symbols show --json` tells of a debug file that is stored.
  package static let debugFileFacts = APISchema.object([
    .always("debug_id", .text()), .maybe("code_id", .text()), .always("name", .text()),
    .always("arch", .text()), .always("kind", .text()), .always("size", .count),
    .always("digest", .text()), .always("added", .time),
    .maybe("format", .text(), "The container: ELF, Mach-O, PE and others."),
    .maybe("dwarf", dwarf), .maybe("modules", modules, "Of a PDB."), .maybe("contains", contents),
    .maybe(
      "cache", .object([.always("size", .count), .always("milliseconds", .count)]),
      "The symbol cache that is made of it."),
    .maybe(
      "unwind",
      .object([
        .always("rows", .count), .always("size", .count), .always("sources", .list(.text())),
      ])),
  ])

  private static func names(of parts: String) -> APISchema {
    .list(.object([.always("name", .text()), .always(parts, .count)]))
  }

  private static let dwarf = APISchema.object([
    .always("units", .count),
    .always("split_units", .count, "Those that go on in other files."),
    .maybe("split_files", .count, "How many of these are stored."),
    .always("is_64_bit", .flag),
    .always("versions", .list(.object([.always("version", .count), .always("units", .count)]))),
    .always("languages", names(of: "units")), .always("producers", names(of: "units")),
  ])

  private static let modules = APISchema.object([
    .always("count", .count), .always("languages", names(of: "modules")),
    .always("producers", names(of: "modules")),
  ])

  private static let contents = APISchema.object([
    .always("functions", .count), .always("inlined_calls", .count), .always("lines", .count),
    .always("symbols", .count), .always("sources", .count), .always("source_checksums", .count),
  ])
}
