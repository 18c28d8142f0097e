extension Schema {
  /// Images that reports name themselves, so that they lack no debug file of them.
  ///
  /// - `waiting.named`: whether the report itself names the functions and lines of all its frames in the image.
  ///   NULL where a home of an earlier version does not know it; see ``CrashStore/fillNamedImages()``.
  static let namedImages = """
    ALTER TABLE waiting ADD COLUMN named INTEGER DEFAULT 0;
    UPDATE waiting SET named = NULL WHERE decides = 0 AND image NOT IN (
      SELECT image_numbers.id FROM image_numbers JOIN images USING (debug_id) WHERE images.is_own = 0);
    CREATE INDEX waiting_unread ON waiting (report) WHERE named IS NULL;

    """
}
