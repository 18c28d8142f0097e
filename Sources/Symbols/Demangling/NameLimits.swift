/// The limits of one name.
enum NameLimits {
  /// Productions inside one another. 800 of the 500,000 names of Ceph's debug files have more than
  /// 48; a level takes up to seven kibibytes of stack in the optimised program, which inlines.
  static let depth = 256
  /// Parts that the printer visits. A part that prints nothing counts, too, so that packs without
  /// elements cannot repeat one another for ever.
  static let visits = 1 << 20
}
