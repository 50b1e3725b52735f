"""Former names and their present locations, for old scripts and plug-ins; they are not listed."""

_MOVED = {
    "engine.aggregation.blocks": "Sampling",
    "engine.aggregation.center_of_attention": "Radii SmoothBound",
    "engine.aggregation.functions": "FUNCTIONS",
    "engine.aggregation.samplings": "SAMPLINGS",
    "engine.analysis": """
        agree_outputs attack_sweep AttackRates AttackSweep attempt_all_dimensions attempt_axis_by_axis
        AxesAttempt BallCloud BallPromise BallSample BallWorth BlocksSweep Boxes cell_outlines CellMap
        cells_behind CellsAlong choose_radius ChosenRadius closeup Cloud ClusterSeparation compare_errors
        CountError deepest_level default_facility_price density_rate diameters_by_radius DiametersByRadius
        Disc EpsilonSweep ErrorAgainstSize ErrorComparison ErrorEstimate ErrorSample ExpectedError
        FacilitiesAlong histogram_cells histogram_errors histogram_facilities histogram_levels
        histogram_matching histogram_trees HistogramErrors HistogramErrorSample HistogramLevels
        HistogramTrees isolation_guess isolation_test isolation_threshold IsolationGuess IsolationTest
        judge_balls map_cells map_cluster_cells map_query map_trees MappedHistogram MatchingAlong
        mechanism_of noise_of NoiseCertificates NoiseCurve NoiseCurves OutputAgreement pair_of
        PointsAlternative principal_components profile_radii promise_ball public_noise_families QueryMap
        RadiusProfile released_histogram ReleasedMatrix scalar_error separate_clusters shift_planes
        ShiftPlanes show_matrix SidesAttempt simulate_balls simulated_answer simulated_histogram
        SimulatedAnswer sweep_blocks swept_blocks TreeAlong TreeMap weigh_choices WeighedChoices
        WithAlternative
    """,
    "engine.audit": """
        Audit audit_mechanism AuditRun Event LowBits LowBitsRun NeighbourAudit posterior trade_off
    """,
    "engine.comparison": """
        audit_contenders AuditedContenders Comparison ContenderAudit contenders_from default_sweep Needed
        needed_epsilon NeededEpsilons Outcome sweep_between Trial Verdict
    """,
    "engine.components": "Component",
    "engine.data": """
        CategoryRecords Column EdgeList Example ExampleCategories ExampleColumn EXAMPLES guess_columns
        Numbers
    """,
    "engine.data.edges": "read_vertices",
    "engine.data.formats.file_format": "DataFile",
    "engine.data.writing": "write_points",
    "engine.errors": "ExecutionError NamesInDoubt UnknownName",
    "engine.extras.stored.table": "StoredTable",
    "engine.former_functions": """
        place_released place_released_ball place_released_choice place_released_number
    """,
    "engine.histograms.diameter": "Diameter diameter diameter_of_points",
    "engine.histograms.facility": "Facilities locate_points",
    "engine.histograms.histogram": "BoxHistogram Histogram",
    "engine.histograms.matching": "match_cells match_points Matching",
    "engine.histograms.spanning_tree": "euclidean_tree resampled_tree SpanningTree",
    "engine.ledger": "Account Composition LedgerDamaged LedgerEntry LedgerError MisstatedCost",
    "engine.mechanisms": "CategoriesMechanism Planted Sanitizer",
    "engine.mechanisms.aggregators": "Aggregator AGGREGATORS",
    "engine.mechanisms.categories.numbers": "CategoryNumbers CrossTable",
    "engine.mechanisms.planning": "Plan",
    "engine.noise": "default_pair NOISE_CHOICES noise_choices NoiseChoice noises_of_numbers",
    "engine.noise.certificate": "Certificate certify_published",
    "engine.parameters": "Parameter",
    "engine.plugins": "Plugin",
    "engine.privacy": "NoPromise PrivacyLike",
    "engine.queries": "Cut VertexPair",
    "engine.queries.profile": "SensitivityPath SensitivityProfile SensitivitySweep",
    "engine.simulation": "simulate_prepared Simulation",
}
"""Names by their module."""

_RENAMED = {
    "built_in": "engine.audit:worst_case_pairs",
    "Contender": "engine.comparison:ComparedMechanism",
    "Deciding": "engine.analysis:PivotalRecords",
    "deciding_records": "engine.analysis:pivotal_records",
    "labelled": "engine.comparison:contenders_from",
    "locate": "engine.histograms.facility:locate_facilities",
    "moved": "engine.audit:replace_one_pair",
    "of_data": "engine.audit:pairs_from_data",
    "place_ball": "engine.analysis:ball_scene",
    "place_boxes": "engine.analysis:boxes_scene",
    "place_choice": "engine.analysis:choice_scene",
    "place_data": "engine.analysis:data_scene",
    "place_number": "engine.analysis:number_scene",
    "place_outputs": "engine.analysis:outputs_scene",
    "place_records": "engine.analysis:records_scene",
    "place_release": "engine.analysis:release_scene",
    "place_synthetic_points": "engine.analysis:synthetic_scene",
    "planned": "engine.mechanisms.planning:plan_blocks",
    "replayed": "engine.comparison:replay",
    "Rivalry": "engine.analysis:WithAlternative",
    "screened": "engine.mechanisms.one_cluster:screen_points",
    "show_numbers": "engine.analysis:category_estimates",
    "show_table": "engine.analysis:cross_table",
}

FORMER_NAMES = {name: f"{module}:{name}" for module, names in _MOVED.items() for name in names.split()}
FORMER_NAMES |= _RENAMED
"""Names that `engine` offered in earlier versions."""

FORMER_HOOKS = {
    "automatic": "_automatic",
    "draw_value": "_draw_value",
    "errors": "_errors",
    "largest_error": "_largest_error",
    "mistakes": "_mistakes",
    "number_grid": "_number_grid",
    "points_of": "_points_of",
    "prepare_release": "_prepare_release",
    "release_parameters": "_release_parameters",
    "released": "_released",
    "to_release_form": "_in_order",
    "sanitizer": "_sanitizer",
    "true_answer": "_true_answer",
}
"""Renamed methods of mechanisms."""

FORMER_PARTS = {
    "among_data": ("vectors", "among_data"),
    "concentrated": ("guarantee", "zcdp_cost"),
    "coordinates": ("vectors", "coordinates"),
    "cost": ("guarantee", "cost"),
    "hides": ("facts", "hides"),
    "is_meant_for": ("facts", "is_meant_for"),
    "is_one_choice": ("facts", "is_one_choice"),
    "is_private": ("facts", "is_private"),
    "is_random": ("facts", "is_random"),
    "library": ("facts", "library"),
    "loss": ("guarantee", "loss"),
    "most_columns": ("facts", "most_columns"),
    "noun": ("vectors", "noun"),
    "on_step": ("facts", "on_step"),
    "shape": ("facts", "shape"),
    "space": ("vectors", "space"),
    "topic": ("facts", "topic"),
    "unordered": ("vectors", "unordered"),
    "uses_delta": ("guarantee", "uses_delta"),
    "why": ("facts", "why"),
    "zcdp_cost": ("guarantee", "zcdp_cost"),
}
"""Moved attributes of mechanisms: the object that now has them, and their names there."""

REPLACED_HOOKS = {
    "effort": "resources(domain, n)",
    "for_value": "calibrate(privacy)",
    "memory": "resources(domain, n)",
    "resolve_bounds": "resolve(privacy, domain)",
    "resolve_noise": "resolve(privacy, domain)",
}
"""Methods replaced by others: a definition in a class would never be called."""
