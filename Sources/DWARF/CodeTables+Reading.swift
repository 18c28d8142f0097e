extension CodeTables {
  /// Reads functions, inlined calls and lines out of the sections.
  ///
  /// Damage costs the unit it is in and leaves a note; nothing is thrown. Functions that a linker
  /// dropped, and whatever lies outside `space`, are left out.
  ///
  /// - Complexity: O(n) in the sizes of the sections; see ``DWARFLimits`` for what bounds those that
  ///   refer to each other.
  public static func reading(
    _ sections: borrowing DWARFSections, space: CodeSpace, limits: DWARFLimits = DWARFLimits()
  ) -> CodeTables {
    let spans = SectionSpans(sections)
    let reader = InfoReader(sections, space: space, limits: limits)
    return reader.run(spans, of: sections)
  }
}
