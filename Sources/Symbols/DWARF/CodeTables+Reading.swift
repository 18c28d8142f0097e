extension CodeTables {
  /// Reads functions, inlined calls and lines out of the sections.
  ///
  /// The result does not depend on the number of threads. Damage costs the unit it is in and leaves a note; nothing is thrown. Functions that a linker
  /// dropped, and whatever lies outside `space`, are left out.
  ///
  /// - Complexity: O(n) in the sizes of the sections; see ``DWARFLimits`` for what bounds those that
  ///   refer to each other.
  ///
  /// - Parameters:
  ///   - width: The most threads.
  ///   - offsets: Offsets from the image base; units that have no code there are left out. All are
  ///     read without it.
  public static func reading(
    _ sections: borrowing DWARFSections, space: CodeSpace, limits: DWARFLimits = DWARFLimits(),
    width: Int = 1, near offsets: [UInt32]? = nil
  ) -> CodeTables {
    let spans = SectionSpans(sections)
    var reader = InfoReader(sections, space: space, limits: limits)
    reader.findUnits(spans, releasing: HeaderPages(sections.info))
    if let offsets { return reader.run(spans, of: sections, near: offsets.sorted()) }
    defer { sections.forgetReadPages() }
    let shares = UnitQueue(
      of: reader.units, splitSize: sections.splitSize, width: width, limits: limits)
    if shares.count > 1 {
      let parts = CodePart.reading(
        reader.units, shares: shares, sections, space: space, limits: limits, width: width)
      if var joined = CodeJoin.joining(
        parts, notes: reader.output.notes, limits: limits, width: width)
      {
        joined.unitCount = reader.units.count
        return joined
      }
    }
    return reader.run(spans, of: sections)
  }
}
