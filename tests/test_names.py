import pytest

from polyface.names import derive_tool_name, tool_name_fault

DERIVED = [
    # list keeps the plural
    ("people", "list", "list_people"),
    ("users", "list", "list_users"),
    ("admin/users", "list", "list_admin_users"),
    # the four verbs take the singular
    ("users", "get", "get_user"),
    ("orders", "create", "create_order"),
    ("orders", "update", "update_order"),
    ("orders", "delete", "delete_order"),
    ("people", "get", "get_people"),
    # other keys become snake case
    ("shops", "findByCity", "find_by_city_shop"),
    ("shops", "search", "search_shop"),
    ("shops", "search2", "search2_shop"),
    # only the last segment becomes singular
    ("users_settings_items", "get", "get_users_settings_item"),
    ("admin/orders", "get", "get_admin_order"),
    ("status_codes", "get", "get_status_code"),
    # endings
    ("categories", "get", "get_category"),
    ("addresses", "get", "get_addresse"),
    ("classes", "get", "get_classe"),
    ("glass", "get", "get_glass"),
    ("access", "create", "create_access"),
    # words without another singular, alone or last
    ("analytics", "get", "get_analytics"),
    ("status", "get", "get_status"),
    ("bot_status", "get", "get_bot_status"),
    ("stats", "get", "get_stats"),
    ("settings", "update", "update_settings"),
    ("media", "get", "get_media"),
    ("progress", "get", "get_progress"),
    ("news", "get", "get_news"),
    ("admin/analytics", "get", "get_admin_analytics"),
    # other signs become underscores, one for one, and a key keeps its hyphens
    ("my-shops", "get", "get_my_shop"),
    ("a--b", "get", "get_a__b"),
    ("v1.2", "get", "get_v1_2"),
    ("shops", "find-all", "find-all_shop"),
    ("shops", "two words", "two_words_shop"),
    # one leading underscore goes
    ("shops", "_hidden", "hidden_shop"),
    ("shops", "__hidden", "_hidden_shop"),
]


@pytest.mark.parametrize(("prefix", "key", "name"), DERIVED)
def test_a_tools_name_is_derived_from_prefix_and_key(prefix, key, name):
    assert derive_tool_name(prefix, key) == name


@pytest.mark.parametrize(
    "name", ["a", "A-b_9", "_", "-", "x" * 64, *(name for _, _, name in DERIVED)]
)
def test_a_name_of_the_strictest_provider_is_legal(name):
    assert tool_name_fault(name) is None


@pytest.mark.parametrize(
    "name", ["", "x" * 65, "admin/analytics", "a b", "a.b", "é", "a\n", "naïve", None, 3]
)
def test_any_other_name_is_illegal(name):
    assert tool_name_fault(name) == f"the name `{name}` doesn't match `[A-Za-z0-9_-]{{1,64}}`"


@pytest.mark.parametrize("prefix", ["", "-", "~", "._-~", "_"])
def test_a_name_derived_from_separators_alone_is_refused_on_its_own_terms(prefix):
    name = derive_tool_name(prefix, "get")
    assert tool_name_fault(name) is None
    assert tool_name_fault(name, prefix=prefix) == (
        f"the name `{name}` is derived from the prefix `{prefix}`, which has no letter or digit"
    )


@pytest.mark.parametrize("prefix", ["a", "1", "-a-"])
def test_one_letter_or_digit_is_enough(prefix):
    assert tool_name_fault(derive_tool_name(prefix, "get"), prefix=prefix) is None
